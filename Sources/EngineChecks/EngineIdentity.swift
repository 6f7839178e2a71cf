/// Which engine was checked, in its own words.
package struct EngineIdentity: Equatable, Sendable {
    package var id: String
    package var name: String
    package var version: String

    package init(id: String, name: String, version: String) {
        self.id = id
        self.name = name
        self.version = version
    }
}
