/// The text that an engine speaks in one request.
package struct Utterance: Sendable, Equatable {
    /// The largest `text`, in UTF-8 bytes, with any options.
    package static let maximumBytes = 65_536

    /// A stretch of the text whose pronunciation is known.
    package struct Pronunciation: Sendable, Equatable {
        /// In bytes of the text; not empty.
        package var range: Range<Int>
        package var value: ScriptPronunciation

        package init(range: Range<Int>, value: ScriptPronunciation) {
            self.range = range
            self.value = value
        }
    }

    /// A place that a listener wants to be told of.
    package struct Mark: Sendable, Equatable {
        package var name: String
        /// The byte of the text before which it stands.
        package var offset: Int
        /// In the document.
        package var source: Range<Int>

        package init(name: String, offset: Int, source: Range<Int>) {
            self.name = name
            self.offset = offset
            self.source = source
        }
    }

    /// Not empty, without control characters (so without NUL and line breaks), without white space at either end.
    package let text: String
    /// The place of the text in the document.
    package let source: SourceMap
    package var pauseAfter: PauseKind
    /// The places of the text's characters in the document.
    package let characters: CharacterPlaces
    package var style: ScriptStyle
    /// In ascending order, without overlaps.
    package let pronunciations: [Pronunciation]
    /// In ascending order.
    package var marks: [Mark]

    package init(
        text: String, source: SourceMap, pauseAfter: PauseKind, characters: CharacterPlaces = CharacterPlaces(),
        style: ScriptStyle = ScriptStyle(), pronunciations: [Pronunciation] = [], marks: [Mark] = []
    ) {
        self.text = text
        self.source = source
        self.pauseAfter = pauseAfter
        self.characters = characters
        self.style = style
        self.pronunciations = pronunciations
        self.marks = marks
    }

    /// The range of the whole text in the document, in bytes.
    package var sourceRange: Range<Int> {
        source.sourceRange(of: 0..<text.utf8.count)
    }
}
