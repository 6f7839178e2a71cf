package import SynthEngineWire
import SynthListening

/// What is expected to be said.
public enum ExpectedSpeech: Hashable, Sendable {
    /// Anything.
    case freeform
    /// A number, in digits or in words of the language that is spoken.
    case number
    /// One of these names.
    case names([String])
}

/// What was said into a microphone.
public struct HeardSpeech: Sendable {
    /// A word, and when it was said.
    public struct Word: Hashable, Sendable {
        /// As the recognizer writes it.
        public let text: String
        /// Counted from the begin of the sound.
        public let start: Duration
        /// Counted from the begin of the sound.
        public let end: Duration
        /// From 0 to 1; nil = the recognizer does not say.
        public let confidence: Double?
    }

    /// Why nothing more was heard.
    @nonexhaustive
    public enum Ending: Hashable, Sendable {
        /// Nobody spoke.
        case nothingSaid
        /// Nobody spoke any more.
        case silence
        /// It took as long as it may.
        case timeout
        /// The recognizer needed no more.
        case understood
    }

    /// All of it; empty if nobody spoke, or nothing was understood.
    public let text: String
    /// Of the least certain part of it, from 0 to 1; nil = the recognizer does not say.
    public let confidence: Double?
    /// In the order in which they were said; none if the recognizer does not tell them.
    public let words: [Word]
    /// What was spoken (BCP-47), if the recognizer found it out.
    public let language: String?
    /// If a number was expected; nil = none was said.
    public let number: Double?
    /// If names were expected, the nearest of them; nil = none is near.
    public let name: String?
    /// How far what was heard is from the name: 0 = the same but for capitals, spaces and signs, 1 = nothing in common.
    public let distance: Double?
    /// Why nothing more was heard.
    public let ending: Ending
    /// The file that holds what was said, if the options ask for a recording and somebody spoke. The program removes it.
    public package(set) var recordingPath: String?
    /// From the begin of the first speech to the end of the last, with a pad on both sides; empty if nobody spoke, or nothing
    /// was to be kept.
    package let recording: [Float]
}

/// What was understood of a part of a file.
public struct TranscriptSegment: Sendable {
    /// Never empty.
    public let text: String
    /// Counted from the begin of the file.
    public let start: Duration
    /// Counted from the begin of the file.
    public let end: Duration
    /// In the order in which they were said; none if the recognizer does not tell them.
    public let words: [HeardSpeech.Word]
    /// From 0 to 1; nil = the recognizer does not say.
    public let confidence: Double?
    /// What is spoken (BCP-47), if the recognizer found it out.
    public let language: String?
    /// From 1, if each channel is transcribed by itself.
    public let channel: Int?

    /// - Parameter rate: frames a second.
    package init(_ heard: HeardText, rate: UInt32) {
        channel = heard.channel?.number
        text = heard.text
        start = Duration(frame: heard.frames.lowerBound, rate: rate)
        end = Duration(frame: heard.frames.upperBound, rate: rate)
        words = HeardSpeech.Word.all(of: heard, rate: rate)
        confidence = heard.confidence.map(Double.init)
        language = heard.language
    }
}

extension HeardSpeech.Word {
    static func all(of heard: HeardText, rate: UInt32) -> [HeardSpeech.Word] {
        let bytes = Array(heard.text.utf8)
        return heard.words.map { word in
            HeardSpeech.Word(
                text: String(decoding: bytes[word.text], as: UTF8.self),
                start: Duration(frame: word.frames.lowerBound, rate: rate),
                end: Duration(frame: word.frames.upperBound, rate: rate),
                confidence: word.confidence.map(Double.init))
        }
    }
}

extension HeardSpeech.Ending {
    init(_ reason: ListeningEnd.Reason) {
        self =
            switch reason {
            case .nothingSaid: .nothingSaid
            case .silence: .silence
            case .timeout: .timeout
            case .understood: .understood
            }
    }
}

extension Duration {
    /// To the microsecond.
    fileprivate init(frame: UInt64, rate: UInt32) {
        self = .microseconds((Double(frame) / Double(rate) * 1e6).rounded())
    }
}
