import CSynthEngine

/// What an engine says of itself.
public struct EngineDescription: Sendable {
    /// What the configuration names: `[a-z0-9-]+`.
    public var id: String
    /// What people call it: "Kokoro".
    public var name: String
    public var version: String
    /// SPDX expression for the engine with everything that it links.
    public var licence: String
    /// Where to read more and report faults.
    public var url: String?
    public var capabilities: EngineCapabilities
    /// How many requests may be spoken at once in one process; 0 = any number.
    public var maximumLanes: Int
    /// What `SpeechRequest.rate` may be, around 1. `1...1` = the host changes the tempo itself.
    public var rates: ClosedRange<Float>
    /// What `SpeechRequest.pitch` may be, around 1. `1...1` = the host changes the pitch itself.
    public var pitches: ClosedRange<Float>
    /// The kinds of files that the voices use.
    public var roles: [FileRole]
    /// The environment variables that it, or a library that it links, reads, beside those that every engine gets:
    /// `[A-Z_][A-Z0-9_]*`. They are there from `load` on.
    public var variables: [String]
    /// What it asks its user for. It runs without what the user has not allowed.
    public var needs: [EngineNeed]

    public init(
        id: String, name: String, version: String, licence: String, url: String? = nil,
        capabilities: EngineCapabilities = [], maximumLanes: Int = 0, rates: ClosedRange<Float> = 1...1,
        pitches: ClosedRange<Float> = 1...1, roles: [FileRole] = [], variables: [String] = [],
        needs: [EngineNeed] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.licence = licence
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

/// What an engine can do beyond speaking text.
public struct EngineCapabilities: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Takes requests of every kind, not only `.text`.
    public static let speaksPhonemes = Self(rawValue: SYNTH_CAN_SPEAK_PHONEMES.rawValue)
    public static let timesWords = Self(rawValue: SYNTH_CAN_TIME_WORDS.rawValue)
    public static let timesPhonemes = Self(rawValue: SYNTH_CAN_TIME_PHONEMES.rawValue)
    /// Mixes several voices of one model in one request.
    public static let blends = Self(rawValue: SYNTH_CAN_BLEND.rawValue)
    /// The same request gives the same frames, in any lane and process, unless its variation is above 1.
    public static let isDeterministic = Self(rawValue: SYNTH_IS_DETERMINISTIC.rawValue)
    /// A long text sounds as soon as a short one. Without it the host may begin with a clause only.
    public static let streams = Self(rawValue: SYNTH_CAN_STREAM.rawValue)
    /// Heeds `SpeechRequest.variation`.
    public static let varies = Self(rawValue: SYNTH_CAN_VARY.rawValue)
    /// Speaks no language: a template or a test. It is used only if it or its voice is named.
    public static let isExample = Self(rawValue: SYNTH_IS_EXAMPLE.rawValue)
    /// Heeds `SpeechRequest.pitchPoints` and `SpeechRequest.intonation`.
    public static let shapesPitch = Self(rawValue: SYNTH_CAN_SHAPE_PITCH.rawValue)
    /// Heeds `SpeechRequest.isWhispered`.
    public static let whispers = Self(rawValue: SYNTH_CAN_WHISPER.rawValue)
}

/// A voice that an engine knows without the registry.
public struct EngineVoice: Sendable {
    public enum Gender: Sendable {
        case unsaid, female, male, neutral
    }

    /// Unique in the engine: `[A-Za-z0-9._+-]+`.
    public var id: String
    /// What people call it: "Heart".
    public var name: String
    /// BCP-47.
    public var language: String
    /// "American".
    public var accent: String?
    public var gender: Gender
    /// Of the voice; `nil` = the engine's.
    public var licence: String?
    /// Voices of equal model share its files of scope `.model`; `nil` = the voice is its own model.
    public var model: String?
    /// Names of the speakers; empty = one, without a name. Voices in a row with equal speakers share one C array.
    public var speakers: [String]
    /// The files of both scopes; empty = built in.
    public var sources: [FileSource]

    public init(
        id: String, name: String, language: String, accent: String? = nil, gender: Gender = .unsaid,
        licence: String? = nil, model: String? = nil, speakers: [String] = [], sources: [FileSource] = []
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.accent = accent
        self.gender = gender
        self.licence = licence
        self.model = model
        self.speakers = speakers
        self.sources = sources
    }
}
