package import SynthEngineWire
import SynthListening

/// The kind of speech to expect.
public enum ExpectedSpeech: Hashable, Sendable {
    /// Any speech.
    case freeform
    /// A number, in digits or in words of the spoken language.
    case number
    /// One of these names.
    case names([String])
}

/// The result of listening to a microphone.
public struct RecognizedSpeech: Sendable {
    /// A word and its timestamps.
    public struct Word: Hashable, Sendable {
        /// The word as the recognizer spelled it.
        public let text: String
        /// The start, relative to the beginning of the audio.
        public let start: Duration
        /// The end, relative to the beginning of the audio.
        public let end: Duration
        /// The confidence from 0 to 1, or nil if the recognizer does not report it.
        public let confidence: Double?
    }

    /// Why listening ended.
    @nonexhaustive
    public enum Ending: Hashable, Sendable {
        /// No speech was detected.
        case nothingSaid
        /// Speech was followed by silence.
        case silence
        /// The time limit was reached.
        case timeout
        /// The recognizer reported that it needs no more audio.
        case transcribed
    }

    /// The complete text. Empty if no speech was detected or recognized.
    public let text: String
    /// The confidence of the least certain part, from 0 to 1, or nil if the recognizer does not report it.
    public let confidence: Double?
    /// The words in order. Empty if the recognizer does not report words.
    public let words: [Word]
    /// The spoken language (BCP 47), or nil if the recognizer did not detect it.
    public let language: String?
    /// The number, or nil if none was expected or recognized.
    public let number: Double?
    /// The expected name that is closest to the text, or nil if none is close enough.
    public let name: String?
    /// The distance between the recognized text and the name. 0 means that they differ only in case, spaces and
    /// punctuation; 1 means that they have nothing in common.
    public let distance: Double?
    /// Why listening ended.
    public let ending: Ending
    /// The path of the recording, if the options request one and speech was detected. The caller must delete the file.
    public package(set) var recordingPath: String?
    /// The recorded audio from the start to the end of the detected speech, with padding at both ends. Empty if no
    /// speech was detected or no recording was requested.
    package let recording: [Float]
}

/// A segment of a file's transcript.
public struct TranscriptSegment: Sendable {
    /// The text. Never empty.
    public let text: String
    /// The start, relative to the beginning of the file.
    public let start: Duration
    /// The end, relative to the beginning of the file.
    public let end: Duration
    /// The words in order. Empty if the recognizer does not report words.
    public let words: [RecognizedSpeech.Word]
    /// The confidence from 0 to 1, or nil if the recognizer does not report it.
    public let confidence: Double?
    /// The spoken language (BCP 47), or nil if the recognizer did not detect it.
    public let language: String?
    /// The channel number, starting at 1, or nil if the channels are mixed.
    public let channel: Int?

    /// - Parameter rate: the number of frames per second.
    package init(_ heard: RecognizedText, rate: UInt32) {
        channel = heard.channel?.number
        text = heard.text
        start = Duration(frame: heard.frames.lowerBound, rate: rate)
        end = Duration(frame: heard.frames.upperBound, rate: rate)
        words = RecognizedSpeech.Word.all(of: heard, rate: rate)
        confidence = heard.confidence.map(Double.init)
        language = heard.language
    }
}

extension RecognizedSpeech.Word {
    static func all(of heard: RecognizedText, rate: UInt32) -> [RecognizedSpeech.Word] {
        let bytes = Array(heard.text.utf8)
        return heard.words.map { word in
            RecognizedSpeech.Word(
                text: String(decoding: bytes[word.text], as: UTF8.self),
                start: Duration(frame: word.frames.lowerBound, rate: rate),
                end: Duration(frame: word.frames.upperBound, rate: rate),
                confidence: word.confidence.map(Double.init))
        }
    }
}

extension RecognizedSpeech.Ending {
    init(_ reason: ListeningEnd.Reason) {
        self =
            switch reason {
            case .nothingSaid: .nothingSaid
            case .silence: .silence
            case .timeout: .timeout
            case .transcribed: .transcribed
            }
    }
}

extension Duration {
    /// Converts a frame number to a time, rounded to the microsecond.
    fileprivate init(frame: UInt64, rate: UInt32) {
        self = .microseconds((Double(frame) / Double(rate) * 1e6).rounded())
    }
}
