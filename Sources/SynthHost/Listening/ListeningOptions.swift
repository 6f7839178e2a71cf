import SynthListening
import SynthSpeech
import SynthSystem
public import SynthUserVoices

/// Options for listening to a microphone.
public struct ListeningOptions: Sendable {
    /// The maximum duration of the recording.
    public var timeout: Duration
    /// The duration of silence that ends listening once speech has been detected. Until then, only the timeout applies.
    public var inactivity: Duration
    /// Whether and where to record the speech.
    public var record: Record
    /// The kind of speech to expect.
    public var expecting: ExpectedSpeech
    /// The spoken language (BCP 47), or nil to detect it.
    public var language: String?
    /// The ALSA name of the microphone, or nil for the default microphone.
    public var microphone: String?
    /// The preceding text, or a sentence that contains names and terms, as a hint for the recognizer. Used only for freeform speech.
    public var prompt: String?
    /// Names and terms to expect. Used only for freeform speech. The user's `vocabulary.txt` always applies.
    public var words: [String]

    /// Creates options. By default, listening ends after 30 seconds, or two seconds after the last word.
    public init(
        timeout: Duration = .seconds(30), inactivity: Duration = .seconds(2), record: Record = .nothing,
        expecting: ExpectedSpeech = .freeform, language: String? = nil, microphone: String? = nil,
        prompt: String? = nil, words: [String] = []
    ) {
        self.timeout = timeout
        self.inactivity = inactivity
        self.record = record
        self.expecting = expecting
        self.language = language
        self.microphone = microphone
        self.prompt = prompt
        self.words = words
    }

    /// Whether and where to record the speech. `true` records the speech in a new temporary file.
    public struct Record: Hashable, Sendable, ExpressibleByBooleanLiteral {
        enum Kind: Hashable {
            case nothing
            case temporary
            case file(String)
        }
        let kind: Kind

        /// No recording.
        public static let nothing = Record(kind: .nothing)

        /// A new WAV file in `TMPDIR`, which the caller must delete after use.
        public static let temporaryFile = Record(kind: .temporary)

        /// A file in the format given by its extension. An existing file is replaced.
        public static func file(_ path: String) -> Record { Record(kind: .file(path)) }

        init(kind: Kind) { self.kind = kind }

        public init(booleanLiteral value: Bool) { self = value ? .temporaryFile : .nothing }
    }

    var limits: Listener.Limits { Listener.Limits(timeout: timeout.seconds, inactivity: inactivity.seconds) }
}

/// Options for transcribing a file.
public struct TranscriptionOptions: Hashable, Sendable {
    /// The spoken language (BCP 47), or nil to detect it.
    public var language: String?
    /// Whether to translate the text into English, if the model supports it.
    public var isTranslated: Bool
    /// The preceding text, or a sentence that contains names and terms, as a hint for the recognizer.
    public var prompt: String?
    /// Names and terms to expect. The user's `vocabulary.txt` always applies.
    public var words: [String]
    /// Whether to transcribe each channel separately, for example for a call with one speaker per channel. Otherwise the channels are
    /// mixed.
    public var splitsChannels: Bool
    /// The path of a file in which the finished text is stored, or nil for no file. If a transcription is interrupted,
    /// the next transcription with the same recording, model and options first returns this text and then resumes. A
    /// transcription of a different recording replaces the file. The file is deleted when the transcription is
    /// complete.
    public var progressFile: String?

    /// Creates options. By default, the language is detected and the text is not translated.
    public init(
        language: String? = nil, isTranslated: Bool = false, prompt: String? = nil, words: [String] = [],
        splitsChannels: Bool = false, progressFile: String? = nil
    ) {
        self.splitsChannels = splitsChannels
        self.progressFile = progressFile
        self.language = language
        self.isTranslated = isTranslated
        self.prompt = prompt
        self.words = words
    }
}
