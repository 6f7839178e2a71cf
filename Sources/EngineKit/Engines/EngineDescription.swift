import CSynthEngine

/// An engine's description of itself.
public struct EngineDescription: Sendable {
    /// The ID used in the configuration: `[a-z0-9-]+`.
    public var id: String
    /// The display name: "Kokoro".
    public var name: String
    /// The engine's version.
    public var version: String
    /// The SPDX expression for the engine and everything that it links.
    public var license: String
    /// The URL of a page with more information, where users can report problems.
    public var url: String?
    /// The capabilities, which determine what requests may contain.
    public var capabilities: EngineCapabilities
    /// The maximum number of simultaneous requests per process; 0 for no limit.
    public var maximumLanes: Int
    /// The supported values of `SpeechRequest.rate`, which must include 1. If the range is `1...1`, the host changes
    /// the tempo itself.
    public var rates: ClosedRange<Float>
    /// The supported values of `SpeechRequest.pitch`, which must include 1. If the range is `1...1`, the host changes
    /// the pitch itself.
    public var pitches: ClosedRange<Float>
    /// The roles of the files that voices use.
    public var roles: [FileRole]
    /// The environment variables that the engine and its libraries read, in addition to those that every engine gets:
    /// `[A-Z_][A-Z0-9_]*`. They are available to `load` and all later calls.
    public var variables: [String]
    /// The permissions that the engine requests. The engine must also work if the user does not grant them.
    public var needs: [EngineNeed]

    /// Creates a description. By default, the engine has no capabilities and needs no files or permissions.
    public init(
        id: String, name: String, version: String, license: String, url: String? = nil,
        capabilities: EngineCapabilities = [], maximumLanes: Int = 0, rates: ClosedRange<Float> = 1...1,
        pitches: ClosedRange<Float> = 1...1, roles: [FileRole] = [], variables: [String] = [],
        needs: [EngineNeed] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.license = license
        self.url = url
        self.capabilities = capabilities
        self.maximumLanes = maximumLanes
        self.rates = rates
        self.pitches = pitches
        self.roles = roles
        self.variables = variables
        self.needs = needs
    }
}

/// An engine's capabilities in addition to speaking text.
public struct EngineCapabilities: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Supports all values of `SpeechRequest.kind`, not only `.text`.
    public static let speaksPhonemes = Self(rawValue: SYNTH_CAN_SPEAK_PHONEMES.rawValue)
    /// Reports the start of each word with `SpeechOutput.word`.
    public static let timesWords = Self(rawValue: SYNTH_CAN_TIME_WORDS.rawValue)
    /// Reports the start of each phoneme with `SpeechOutput.phoneme`.
    public static let timesPhonemes = Self(rawValue: SYNTH_CAN_TIME_PHONEMES.rawValue)
    /// Can mix several voices of one model in one request.
    public static let blends = Self(rawValue: SYNTH_CAN_BLEND.rawValue)
    /// The same request always produces the same frames in any lane and process, unless its variation exceeds 1.
    public static let isDeterministic = Self(rawValue: SYNTH_IS_DETERMINISTIC.rawValue)
    /// The first audio of a long text is available as soon as for a short text. Without this capability, the host may
    /// send the first clause as a separate request.
    public static let streams = Self(rawValue: SYNTH_CAN_STREAM.rawValue)
    /// Supports `SpeechRequest.variation`.
    public static let varies = Self(rawValue: SYNTH_CAN_VARY.rawValue)
    /// A template or test that does not speak a language. The engine is used only if it or its voice is specified by
    /// name.
    public static let isExample = Self(rawValue: SYNTH_IS_EXAMPLE.rawValue)
    /// Supports `SpeechRequest.pitchPoints` and `SpeechRequest.intonation`.
    public static let shapesPitch = Self(rawValue: SYNTH_CAN_SHAPE_PITCH.rawValue)
    /// Supports `SpeechRequest.isWhispered`.
    public static let whispers = Self(rawValue: SYNTH_CAN_WHISPER.rawValue)
}

/// A voice declared by an engine, independently of the registry.
public struct EngineVoice: Sendable {
    /// The gender of a voice; `unsaid` if unknown.
    public enum Gender: Sendable {
        case unsaid, female, male, neutral
    }

    /// An ID that is unique within the engine: `[A-Za-z0-9._+-]+`.
    public var id: String
    /// The display name: "Heart".
    public var name: String
    /// A BCP 47 tag.
    public var language: String
    /// The accent: "American".
    public var accent: String?
    /// The speaker's gender.
    public var gender: Gender
    /// The voice's license; nil if it is the same as the engine's license.
    public var license: String?
    /// The model, or nil if the voice has its own. Voices with the same model share its files of scope `.model`.
    public var model: String?
    /// The speakers' names; empty for a single unnamed speaker. Consecutive voices with equal speakers share one C array.
    public var speakers: [String]
    /// The voice's files, of both scopes; empty if the voice is built in.
    public var sources: [FileSource]

    /// Creates a voice. By default it is built in and has a single speaker.
    public init(
        id: String, name: String, language: String, accent: String? = nil, gender: Gender = .unsaid,
        license: String? = nil, model: String? = nil, speakers: [String] = [], sources: [FileSource] = []
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.accent = accent
        self.gender = gender
        self.license = license
        self.model = model
        self.speakers = speakers
        self.sources = sources
    }
}
