/// The text that an engine speaks in one request.
package struct Utterance: Sendable, Equatable {
    /// The largest `text`, in UTF-8 bytes, with any options.
    package static let maximumBytes = 65_536

    /// Not empty, without control characters (so without NUL and line breaks), without white space at either end.
    package let text: String
    /// The place of the text in the document.
    package let source: SourceMap
    package let pauseAfter: PauseKind
    /// The places of the text's characters in the document.
    package let characters: CharacterPlaces

    package init(
        text: String, source: SourceMap, pauseAfter: PauseKind, characters: CharacterPlaces = CharacterPlaces()
    ) {
        self.text = text
        self.source = source
        self.pauseAfter = pauseAfter
        self.characters = characters
    }

    /// The range of the whole text in the document, in bytes.
    package var sourceRange: Range<Int> {
        source.sourceRange(of: 0..<text.utf8.count)
    }
}
