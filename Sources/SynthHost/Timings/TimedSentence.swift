import SpeechScript

/// A sentence, or what of a long one is spoken in one go, with the times at which it and its words sound.
struct TimedSentence: Equatable, Sendable {
    struct Word: Equatable, Sendable {
        /// Its bytes in the sentence's text; not empty.
        var text: Range<Int>
        /// From its first frame to that of the next word, or to the end of the sentence.
        var frames: Range<Int>
    }

    /// Without line breaks and control characters.
    var text: String
    /// Where the text stands in the document.
    var source: SourceMap
    var characters: CharacterPlaces
    /// In the sound as it comes out.
    var frames: Range<Int>
    /// In the order in which they sound.
    var words: [Word] = []

    /// The document's bytes of a range of the text.
    func bytes(of range: Range<Int>) -> Range<Int> { source.sourceRange(of: range) }

    /// The document's characters (Unicode scalars) of a range of the text.
    func characters(of range: Range<Int>) -> Range<Int> {
        characters.range(of: range, in: text)
    }

    /// A part of the text.
    func text(of range: Range<Int>) -> String {
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound, limitedBy: bytes.endIndex)
        let end = bytes.index(bytes.startIndex, offsetBy: range.upperBound, limitedBy: bytes.endIndex)
        return String(decoding: bytes[(start ?? bytes.endIndex)..<(end ?? bytes.endIndex)], as: UTF8.self)
    }
}
