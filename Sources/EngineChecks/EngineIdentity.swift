/// The id, name and version that an engine gives.
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
