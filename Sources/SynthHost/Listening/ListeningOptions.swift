import SynthListening
import SynthSpeech
import SynthSystem
public import SynthUserVoices

/// How a microphone is listened to.
public struct ListeningOptions: Sendable {
    /// The longest sound, whatever is said.
    public var timeout: Duration
    /// The longest silence after speech. Before anybody speaks, the timeout alone counts.
    public var inactivity: Duration
    /// Whether what is said is kept, and where.
    public var record: Record
    /// What is expected to be said.
    public var expecting: ExpectedSpeech
    /// What is spoken (BCP-47); nil = the recognizer finds out.
    public var language: String?
    /// As ALSA names it; nil = the default one.
    public var microphone: String?
    /// What was said before, or a sentence with names and terms, if anything may be said; nil = nothing is known.
    public var prompt: String?
    /// Names and terms that may occur, if anything may be said. Those of the user's `vocabulary.txt` are known anyway.
    public var words: [String]

    /// Listens for half a minute at most, and until two seconds after the last word.
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

    /// Whether what is said is kept. `true` means a new file in the folder for temporary files.
    public struct Record: Hashable, Sendable, ExpressibleByBooleanLiteral {
        enum Kind: Hashable {
            case nothing
            case temporary
            case file(String)
        }
        let kind: Kind

        /// Nothing is kept.
        public static let nothing = Record(kind: .nothing)

        /// A new WAV file in `TMPDIR`, which the program removes when it has used it.
        public static let temporaryFile = Record(kind: .temporary)

        /// A file in the format of its name's ending. One that is there is replaced.
        public static func file(_ path: String) -> Record { Record(kind: .file(path)) }

        init(kind: Kind) { self.kind = kind }

        public init(booleanLiteral value: Bool) { self = value ? .temporaryFile : .nothing }
    }

    var limits: Listener.Limits { Listener.Limits(timeout: timeout.seconds, inactivity: inactivity.seconds) }
}

/// How a file is understood.
public struct TranscriptionOptions: Hashable, Sendable {
    /// What is spoken (BCP-47); nil = the recognizer finds out.
    public var language: String?
    /// Whether the text is to be English, whatever is spoken, if the model can.
    public var isTranslated: Bool
    /// What was said before, or a sentence with names and terms; nil = nothing is known.
    public var prompt: String?
    /// Names and terms that may occur. Those of the user's `vocabulary.txt` are known anyway.
    public var words: [String]
    /// Whether each channel is transcribed by itself, as of a call with one person on each; else they are mixed.
    public var splitsChannels: Bool

    /// Finds out what is spoken, and writes that.
    public init(
        language: String? = nil, isTranslated: Bool = false, prompt: String? = nil, words: [String] = [],
        splitsChannels: Bool = false
    ) {
        self.splitsChannels = splitsChannels
        self.language = language
        self.isTranslated = isTranslated
        self.prompt = prompt
        self.words = words
    }
}
