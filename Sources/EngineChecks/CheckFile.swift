/// A file for a role of the engine that is checked, as the caller names it.
package struct CheckFile: Hashable, Sendable {
    package let role: String
    package let path: String

    package init(role: String, path: String) {
        self.role = role
        self.path = path
    }
}
