/// A file of the user's that becomes part of a voice.
package struct AddedFile: Sendable, Hashable {
    /// The engine's name for what it is.
    package let role: String
    package let path: String

    package init(role: String, path: String) {
        self.role = role
        self.path = path
    }

    var name: String { path.split(separator: "/").last.map(String.init) ?? role }
}
