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

    /// A stretch of the text of which it is known what it is.
    package struct Reading: Sendable, Equatable {
        /// In bytes of the text; not empty.
        package var range: Range<Int>
        package var value: ScriptReading

        package init(range: Range<Int>, value: ScriptReading) {
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

    /// The text before its words were said otherwise.
    package struct Written: Sendable, Equatable {
        package let text: String
        package let source: SourceMap
        package let characters: CharacterPlaces
        /// From the said text to this one, one after the other.
        let maps: [SourceMap]

        /// The bytes of this text that a range of the said one stands for.
        package func range(of said: Range<Int>) -> Range<Int> { maps.reduce(said) { $1.sourceRange(of: $0) } }
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
    /// In ascending order, without overlaps. An edited utterance has none: they are what is edited first.
    package let readings: [Reading]
    /// In ascending order.
    package var marks: [Mark]
    /// nil = the text is what is written.
    package var written: Written?

    package init(
        text: String, source: SourceMap, pauseAfter: PauseKind, characters: CharacterPlaces = CharacterPlaces(),
        style: ScriptStyle = ScriptStyle(), pronunciations: [Pronunciation] = [], readings: [Reading] = [],
        marks: [Mark] = []
    ) {
        self.text = text
        self.source = source
        self.pauseAfter = pauseAfter
        self.characters = characters
        self.style = style
        self.pronunciations = pronunciations
        self.readings = readings
        self.marks = marks
    }

    /// The range of the whole text in the document, in bytes.
    package var sourceRange: Range<Int> {
        source.sourceRange(of: 0..<text.utf8.count)
    }
}
