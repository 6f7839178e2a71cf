/// What an engine speaks in one go.
package struct Utterance: Sendable, Equatable {
    /// The largest `text`, in UTF-8 bytes, whatever the options say.
    package static let maximumBytes = 65_536

    /// Not empty, without control characters (so without NUL and line breaks), without white space at either end.
    package let text: String
    /// Where the text stands in the document.
    package let source: SourceMap
    package let pauseAfter: PauseKind

    package init(text: String, source: SourceMap, pauseAfter: PauseKind) {
        self.text = text
        self.source = source
        self.pauseAfter = pauseAfter
    }

    /// The document's bytes that the whole text covers.
    package var sourceRange: Range<Int> {
        source.sourceRange(of: 0..<text.utf8.count)
    }
}
