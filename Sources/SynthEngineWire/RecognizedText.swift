/// The text recognized in a section of the audio.
package struct RecognizedText: Equatable, Sendable {
    /// Whether the text is final; otherwise the next text replaces it.
    package var isFinal: Bool
    /// The text, at most 65,536 bytes; empty if there was no speech.
    package var text: String
    /// The number of bytes at the start of a partial text that will no longer change.
    package var stable: Int
    package var frames: Range<UInt64>
    /// A BCP 47 tag, if the recognizer detected the language.
    package var language: String?
    package var words: [RecognizedWord]
    /// The confidence, from 0 to 1; nil if unknown.
    package var confidence: Float?
    /// The index of the chosen phrase in the hints; nil if the recognizer chose none.
    package var choice: Int?
    /// The speaker's channel, if the channels of a recording are transcribed separately; nil if the channels are mixed.
    package var channel: SoundChannel?
    package var origin = Origin()
    /// Why the text is left out; nil for text that is part of the transcript.
    package var leftOut: LeftOut?

    /// The reason to assume that the text was never spoken.
    package enum LeftOut: UInt8, Sendable, Codable {
        case repeatsItself = 1
        case hardlyLikely = 2
        case nobodySpeaks = 3

        /// The name in JSON.
        package var name: String {
            switch self {
            case .repeatsItself: "repetition"
            case .hardlyLikely: "unlikely"
            case .nobodySpeaks: "no_speech"
            }
        }
    }

    /// Statistics about how the recognizer arrived at the text. A value of 0 may also mean that the value is unknown.
    package struct Origin: Equatable, Sendable, Codable {
        /// The probability that there is no speech, from 0 to 1.
        package var quietProbability: Float = 0
        /// The zlib compression ratio of the decoded passage that contains the text.
        package var repetition: Float = 0
        /// The sampling temperature, from 0 to 2.
        package var temperature: Float = 0

        package init() {}

        package var isValid: Bool {
            (0...1).contains(quietProbability) && (0...1000).contains(repetition) && (0...2).contains(temperature)
        }
    }

    package init(
        _ text: String, isFinal: Bool = true, stable: Int? = nil, frames: Range<UInt64>, language: String? = nil,
        words: [RecognizedWord] = [], confidence: Float? = nil, choice: Int? = nil
    ) {
        self.isFinal = isFinal
        self.text = text
        self.stable = stable ?? text.utf8.count
        self.frames = frames
        self.language = language
        self.words = words
        self.confidence = confidence
        self.choice = choice
    }

    /// Whether the text is safe to print on a terminal: it contains no control characters except line breaks.
    package static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
    }

    /// Whether the text has the syntax of a BCP 47 tag.
    package static func isLanguage(_ tag: String) -> Bool {
        (1...64).contains(tag.utf8.count)
            && tag.utf8.allSatisfy { byte in
                switch byte {
                case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D: true
                default: false
                }
            }
    }

    /// The maximum number of words in one text.
    package static let maximumWords = 2048
}

/// A word in the recognized text, with its time range in the audio.
package struct RecognizedWord: Codable, Equatable, Sendable {
    /// The byte range in the text, on Unicode scalar boundaries.
    package var text: Range<Int>
    package var frames: Range<UInt64>
    /// The confidence, from 0 to 1; nil if unknown.
    package var confidence: Float?

    package init(text: Range<Int>, frames: Range<UInt64>, confidence: Float? = nil) {
        self.text = text
        self.frames = frames
        self.confidence = confidence
    }
}

extension RecognizedText: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(isFinal, text, UInt32(clamping: stable), frames, language)
        frame.write(share: confidence)
        frame.write(
            Int32(clamping: choice ?? -1), origin.quietProbability, origin.repetition, origin.temperature,
            leftOut?.rawValue ?? 0, words)
    }

    /// Validates the input, so that code that displays the text need not.
    package init(from frame: inout FrameReader) throws {
        let isFinal = try frame.read(Bool.self)
        self.init(
            try frame.read(), isFinal: isFinal, stable: Int(try frame.read(UInt32.self)), frames: try frame.read(),
            language: try frame.read())
        confidence = try frame.share()
        let choice = try frame.read(Int32.self)
        self.choice = choice < 0 ? nil : Int(choice)
        origin.quietProbability = try frame.read()
        origin.repetition = try frame.read()
        origin.temperature = try frame.read()
        let reason = try frame.read(UInt8.self)
        leftOut = LeftOut(rawValue: reason)
        guard leftOut != nil || reason == 0, leftOut == nil || !isFinal else { throw MalformedFrame() }
        words = try frame.read()
        guard isWellFormed else { throw MalformedFrame() }
    }

    /// Whether the words are in order and within the text, and the text is safe to display.
    package var isWellFormed: Bool {
        let bytes = text.utf8
        return bytes.count <= longestText && Self.isPlain(text) && words.count <= Self.maximumWords
            && origin.isValid && bytes.isBorder(stable) && language.map(Self.isLanguage) ?? true
            && words.allSatisfy { bytes.isBorder($0.text.lowerBound) && bytes.isBorder($0.text.upperBound) }
            && zip(words, words.dropFirst()).allSatisfy { $0.text.upperBound <= $1.text.lowerBound }
    }
}

extension RecognizedWord: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(text.offsets, frames)
        frame.write(share: confidence)
    }

    package init(from frame: inout FrameReader) throws {
        self.init(
            text: Range(try frame.read(Range<UInt32>.self)), frames: try frame.read(), confidence: try frame.share())
    }
}

extension FrameWriter {
    /// Writes a value from 0 to 1, or -1 for nil.
    mutating func write(share: Float?) { write(share ?? -1) }
}

extension FrameReader {
    mutating func share() throws -> Float? {
        let share = try read(Float.self)
        guard share == -1 || (0...1).contains(share) else { throw MalformedFrame() }
        return share < 0 ? nil : share
    }
}

extension Collection<UInt8> {
    /// Whether a UTF-8 offset is at a Unicode scalar boundary.
    package func isBorder(_ offset: Int) -> Bool {
        offset == count
            || (0..<count).contains(offset) && self[index(startIndex, offsetBy: offset)] & 0xC0 != 0x80
    }
}

extension String {
    /// Returns the longest prefix of up to `most` bytes that ends at a Unicode scalar boundary. (A character can have
    /// any length; for example, an `e` can have a thousand accents.)
    package func cut(toBytes most: Int) -> String {
        guard utf8.count > most else { return self }
        let bytes = Array(utf8.prefix(most + 1))
        var end = most
        while !bytes.isBorder(end) { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}

/// A channel of a recording.
package struct SoundChannel: Hashable, Sendable {
    /// The channel number, starting at 1.
    package let number: Int
    /// The total number of channels.
    package let count: Int

    package init(_ number: Int, of count: Int) { (self.number, self.count) = (number, count) }

    /// The display name.
    package var name: String { count == 2 ? (number == 1 ? "Left" : "Right") : "Channel \(number)" }
}
