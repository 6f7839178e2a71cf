/// A file of the user's that is to become part of a voice.
package struct AddedFile: Sendable, Hashable {
    /// What the engine calls it.
    package let role: String
    package let path: String

    package init(role: String, path: String) {
        self.role = role
        self.path = path
    }

    var name: String { path.split(separator: "/").last.map(String.init) ?? role }
}
