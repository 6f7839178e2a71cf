import CSynthEngine

/// The text recognized in a section of the audio.
///
/// Invalid values, which models may produce, are corrected when the text is reported: control characters become spaces;
/// leading and trailing white space in `text` is removed, and word ranges are adjusted; frame ranges are clamped to the
/// frames that were read; the confidence is clamped to 0 … 1, and other values are clamped to their valid ranges.
public struct RecognizedText: Sendable {
    /// The text: at most 65,536 bytes of UTF-8. A final text is empty if there was no speech.
    public var text: String
    /// The range of frames, relative to the start of the request's audio.
    public var frames: Range<UInt64>
    /// The words in order, at most 2048; may be empty. They are dropped unless the host wants words.
    public var words: [SpokenWord]
    /// The confidence in the entire text, 0 … 1; nil if unknown.
    public var confidence: Float?
    /// A BCP 47 tag, if the language was detected.
    public var language: String?
    /// If `RecognitionHints.kind` is `.choice`, the index of the phrase that the recognizer chose; nil if it chose none.
    public var choice: Int?
    /// The probability that there is no speech, 0 … 1; 0 if unknown.
    public var quietProbability: Float = 0
    /// The zlib compression ratio of the decoded passage that contains the text; above 2 indicates repetition. 0 if unknown.
    public var repetition: Float = 0
    /// The sampling temperature for choosing words, 0 … 2.
    public var temperature: Float = 0

    /// Creates recognized text. Optional values are unknown by default.
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

/// The reason why text was left out. In each case, the text was probably never spoken.
public enum LeftOutReason: Sendable {
    case repeatsItself
    /// Other transcriptions are about as likely.
    case hardlyLikely
    case nobodySpeaks

    var raw: synth_left_out_reason {
        switch self {
        case .repeatsItself: SYNTH_REPEATS_ITSELF
        case .hardlyLikely: SYNTH_HARDLY_LIKELY
        case .nobodySpeaks: SYNTH_NOBODY_SPEAKS
        }
    }
}

/// A word of the recognized text, with its range in the audio.
public struct SpokenWord: Sendable {
    /// The byte range in the text's UTF-8, on character boundaries.
    public var bytes: Range<Int>
    /// The range of frames, relative to the start of the request's audio.
    public var frames: Range<UInt64>
    /// The confidence, 0 … 1; nil if unknown.
    public var confidence: Float?

    /// Creates a word.
    public init(_ bytes: Range<Int>, frames: Range<UInt64>, confidence: Float? = nil) {
        self.bytes = bytes
        self.frames = frames
        self.confidence = confidence
    }
}

/// Text normalized as the header requires: without control characters and surrounding white space.
struct PlainText {
    /// UTF-8 with a terminating NUL.
    private(set) var bytes: [UInt8]
    /// The number of bytes removed at the beginning.
    private let cut: Int

    var count: Int { bytes.count - 1 }

    init(_ text: String) {
        var plain = Array(text.utf8)
        for index in plain.indices {
            if plain[index] < 0x20 && plain[index] != 0x0A || plain[index] == 0x7F {
                plain[index] = 0x20
            } else if plain[index] == 0xC2, plain.indices.contains(index + 1), plain[index + 1] < 0xA0 {
                // U+0080 … U+009F become two spaces so that offsets do not change.
                plain[index] = 0x20
                plain[index + 1] = 0x20
            }
        }
        func isInk(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x0A }
        cut = plain.firstIndex(where: isInk) ?? plain.count
        let end = plain.lastIndex(where: isInk).map { $0 + 1 } ?? cut
        bytes = plain[cut..<end] + [0]
    }

    /// Converts an offset in the original text to the offset in this text.
    func place(_ offset: Int) -> Int { min(max(offset, cut) - cut, count) }

    func isBorder(_ place: Int) -> Bool { bytes[place] & 0xC0 != 0x80 }

    /// Converts a word's range; nil if the entire word was removed.
    func word(_ range: Range<Int>) -> Range<Int>? {
        let range = place(range.lowerBound)..<place(range.upperBound)
        return range.isEmpty ? nil : range
    }

    /// Returns the last character boundary at or before the offset.
    func border(before offset: Int) -> Int {
        var place = place(offset)
        while !isBorder(place) { place -= 1 }
        return place
    }
}
