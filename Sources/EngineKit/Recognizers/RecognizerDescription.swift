import CSynthEngine

/// What a recognizer says of itself.
public struct RecognizerDescription: Sendable {
    /// What the configuration names: `[a-z0-9-]+`.
    public var id: String
    /// What people call it: "Whisper".
    public var name: String
    public var version: String
    /// SPDX expression for the recognizer with everything that it links.
    public var licence: String
    /// Where to read more and report faults.
    public var url: String?
    /// Without `.transcribes` it is a detector of speech.
    public var capabilities: RecognizerCapabilities
    /// How many sounds may be listened to at once in one process; 0 = any number.
    public var maximumLanes: Int
    /// Of all sound that it reads, in hertz: 8000 … 48 000.
    public var sampleRate: Int
    /// The longest sound of one request, in whole seconds: the host cuts in a pause before. `nil` = any.
    public var longestSound: Duration?
    /// The kinds of files that the models use, all of scope `.model`.
    public var roles: [FileRole]
    /// The environment variables that it, or a library that it links, reads, beside those that every engine gets:
    /// `[A-Z_][A-Z0-9_]*`. They are there from `load` on.
    public var variables: [String]
    /// What it asks its user for. It runs without what the user has not allowed.
    public var needs: [EngineNeed]

    public init(
        id: String, name: String, version: String, licence: String, url: String? = nil,
        capabilities: RecognizerCapabilities, maximumLanes: Int = 0, sampleRate: Int = 16_000,
        longestSound: Duration? = nil, roles: [FileRole] = [], variables: [String] = [], needs: [EngineNeed] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.licence = licence
        self.url = url
        self.capabilities = capabilities
        self.maximumLanes = maximumLanes
        self.sampleRate = sampleRate
        self.longestSound = longestSound
        self.roles = roles
        self.variables = variables
        self.needs = needs
    }
}

/// What a recognizer, or one of its models, can do.
public struct RecognizerCapabilities: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Gives text. Without it, it only says where speech begins and ends.
    public static let transcribes = Self(rawValue: SYNTH_CAN_TRANSCRIBE.rawValue)
    /// Says where speech begins and ends, at most 500 ms after the frames were read.
    public static let detectsSpeech = Self(rawValue: SYNTH_CAN_DETECT_SPEECH.rawValue)
    /// Gives text while the sound still comes.
    public static let givesPartials = Self(rawValue: SYNTH_CAN_GIVE_PARTIALS.rawValue)
    public static let timesWords = Self(rawValue: SYNTH_CAN_TIME_SPOKEN_WORDS.rawValue)
    /// Takes requests without a language although the model knows several.
    public static let detectsLanguage = Self(rawValue: SYNTH_CAN_DETECT_LANGUAGE.rawValue)
    /// Heeds `RecognitionRequest.isToBeEnglish`.
    public static let translates = Self(rawValue: SYNTH_CAN_TRANSLATE.rawValue)
    /// What the hints name becomes likelier.
    public static let heedsHints = Self(rawValue: SYNTH_CAN_HEED_HINTS.rawValue)
    /// Its text has capitals and punctuation.
    public static let punctuates = Self(rawValue: SYNTH_CAN_PUNCTUATE.rawValue)
    /// The same frames give the same final texts, in any lane and process, however they are read.
    public static let isDeterministic = Self(rawValue: SYNTH_RECOGNIZES_ALIKE.rawValue)
    /// Understands nothing: a template or a test. It is used only if it or its model is named.
    public static let isExample = Self(rawValue: SYNTH_RECOGNIZER_IS_EXAMPLE.rawValue)
}

/// What the user chooses: "Whisper base". A model that a recognizer knows without the registry.
public struct RecognizerModel: Sendable {
    /// Unique in the recognizer: `[A-Za-z0-9._+-]+`.
    public var id: String
    /// What people call it.
    public var name: String
    /// Those of the recognizer that this model has; `nil` = all.
    public var capabilities: RecognizerCapabilities?
    /// BCP-47; empty = a detector, or any language.
    public var languages: [String]
    /// Of the model; `nil` = the recognizer's.
    public var licence: String?
    /// Its files; empty = built in.
    public var sources: [FileSource]

    public init(
        id: String, name: String, capabilities: RecognizerCapabilities? = nil, languages: [String] = [],
        licence: String? = nil, sources: [FileSource] = []
    ) {
        self.id = id
        self.name = name
        self.capabilities = capabilities
        self.languages = languages
        self.licence = licence
        self.sources = sources
    }
}
