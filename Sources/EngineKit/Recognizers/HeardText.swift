import CSynthEngine

/// Text of a part of the sound.
///
/// What a model may write by chance is mended when it is told: control characters become spaces, white space at the ends of
/// `text` is cut, and the places of words with it; a place in the sound ends with the frames that were read; a confidence
/// stays within 0 … 1, and so do the numbers of its origin within theirs.
public struct HeardText: Sendable {
    /// At most 65 536 bytes of UTF-8; empty in a final text = nothing was said.
    public var text: String
    /// Its place in the sound, counted from the first frame that was read.
    public var frames: Range<UInt64>
    /// In order, at most 2048; may be empty. Dropped unless the host wants words.
    public var words: [SpokenWord]
    /// 0 … 1, of the whole; `nil` = not known.
    public var confidence: Float?
    /// BCP-47, if it was found out.
    public var language: String?
    /// The place in the hints' phrases, if `RecognitionHints.kind` is `.choice` and the recognizer decided among them.
    public var choice: Int?
    /// The probability that nobody speaks here, 0 … 1; 0 = not known.
    public var quietProbability: Float = 0
    /// How many times smaller zlib makes the text that this is a part of; above 2 it repeats itself; 0 = not known.
    public var repetition: Float = 0
    /// How much the choice of words was left to chance, 0 … 2.
    public var temperature: Float = 0

    public init(
        _ text: String, frames: Range<UInt64>, words: [SpokenWord] = [], confidence: Float? = nil,
        language: String? = nil, choice: Int? = nil
    ) {
        self.text = text
        self.frames = frames
        self.words = words
        self.confidence = confidence
        self.language = language
        self.choice = choice
    }
}

/// A word of a text, with its place in the sound.
public struct SpokenWord: Sendable {
    /// Its place in the UTF-8 of the text; it ends between two characters.
    public var bytes: Range<Int>
    /// Counted from the first frame that was read.
    public var frames: Range<UInt64>
    /// 0 … 1; `nil` = not known.
    public var confidence: Float?

    public init(_ bytes: Range<Int>, frames: Range<UInt64>, confidence: Float? = nil) {
        self.bytes = bytes
        self.frames = frames
        self.confidence = confidence
    }
}

/// A text as the header wants it.
struct PlainText {
    /// UTF-8, with a 0 after it.
    private(set) var bytes: [UInt8]
    /// Bytes that were cut at the beginning.
    private let cut: Int

    var count: Int { bytes.count - 1 }

    init(_ text: String) {
        var plain = Array(text.utf8)
        for index in plain.indices {
            if plain[index] < 0x20 && plain[index] != 0x0A || plain[index] == 0x7F {
                plain[index] = 0x20
            } else if plain[index] == 0xC2, plain.indices.contains(index + 1), plain[index + 1] < 0xA0 {
                // U+0080 … U+009F, as two spaces so that no place moves.
                plain[index] = 0x20
                plain[index + 1] = 0x20
            }
        }
        func isInk(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x0A }
        cut = plain.firstIndex(where: isInk) ?? plain.count
        let end = plain.lastIndex(where: isInk).map { $0 + 1 } ?? cut
        bytes = plain[cut..<end] + [0]
    }

    /// Where a place in the given text is in this one.
    func place(_ offset: Int) -> Int { min(max(offset, cut) - cut, count) }

    /// Whether a place is between two characters.
    func isBorder(_ place: Int) -> Bool { bytes[place] & 0xC0 != 0x80 }

    /// The place of a word; `nil` if nothing is left of it.
    func word(_ range: Range<Int>) -> Range<Int>? {
        let range = place(range.lowerBound)..<place(range.upperBound)
        return range.isEmpty ? nil : range
    }

    /// The last border that is not after the place.
    func border(before offset: Int) -> Int {
        var place = place(offset)
        while !isBorder(place) { place -= 1 }
        return place
    }
}
