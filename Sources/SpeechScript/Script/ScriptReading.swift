/// What a stretch of text is said to be, for whoever puts it into words.
package struct ScriptReading: Sendable, Hashable {
    /// As the document names it: "date", "telephone".
    package var kind: String
    /// The order of its parts, as of a date: "dmy".
    package var format: String?

    package init(kind: String, format: String? = nil) {
        self.kind = kind
        self.format = format
    }
}
