import CSynthEngine

/// A recognizer's description of itself.
public struct RecognizerDescription: Sendable {
    /// The ID used in the configuration: `[a-z0-9-]+`.
    public var id: String
    /// The display name: "Whisper".
    public var name: String
    /// The recognizer's version.
    public var version: String
    /// The SPDX expression for the recognizer and everything that it links.
    public var license: String
    /// The URL of a page with more information, where users can report problems.
    public var url: String?
    /// The capabilities. A recognizer without `.transcribes` is a speech detector.
    public var capabilities: RecognizerCapabilities
    /// The maximum number of simultaneous requests per process; 0 for no limit.
    public var maximumLanes: Int
    /// The sample rate of the input audio, from 8,000 to 48,000 Hz.
    public var sampleRate: Int
    /// The maximum length of a request's audio, in whole seconds; the host splits longer audio at pauses. nil for no limit.
    public var longestSound: Duration?
    /// The roles of the files that models use, all with scope `.model`.
    public var roles: [FileRole]
    /// The environment variables that the recognizer and its libraries read, in addition to those that every engine gets:
    /// `[A-Z_][A-Z0-9_]*`. They are available to `load` and all later calls.
    public var variables: [String]
    /// The permissions that the recognizer requests. The recognizer must also work if the user does not grant them.
    public var needs: [EngineNeed]

    /// Creates a description.
    public init(
        id: String, name: String, version: String, license: String, url: String? = nil,
        capabilities: RecognizerCapabilities, maximumLanes: Int = 0, sampleRate: Int = 16_000,
        longestSound: Duration? = nil, roles: [FileRole] = [], variables: [String] = [], needs: [EngineNeed] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.license = license
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

/// The capabilities of a recognizer, or of one of its models.
public struct RecognizerCapabilities: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Produces text. A recognizer without this capability only reports where speech begins and ends.
    public static let transcribes = Self(rawValue: SYNTH_CAN_TRANSCRIBE.rawValue)
    /// Reports where speech begins and ends, at most 500 ms after the frames were read.
    public static let detectsSpeech = Self(rawValue: SYNTH_CAN_DETECT_SPEECH.rawValue)
    /// Produces text while audio is still arriving.
    public static let givesPartials = Self(rawValue: SYNTH_CAN_GIVE_PARTIALS.rawValue)
    /// Reports the words of each text, with their ranges in the audio.
    public static let timesWords = Self(rawValue: SYNTH_CAN_TIME_SPOKEN_WORDS.rawValue)
    /// Supports requests without a language, even if the model has several languages.
    public static let detectsLanguage = Self(rawValue: SYNTH_CAN_DETECT_LANGUAGE.rawValue)
    /// Supports `RecognitionRequest.translatesToEnglish`.
    public static let translates = Self(rawValue: SYNTH_CAN_TRANSLATE.rawValue)
    /// Words in the hints are more likely to be recognized.
    public static let heedsHints = Self(rawValue: SYNTH_CAN_HEED_HINTS.rawValue)
    /// The text has capitals and punctuation.
    public static let punctuates = Self(rawValue: SYNTH_CAN_PUNCTUATE.rawValue)
    /// The same frames always produce the same final texts in any lane and process, regardless of how they are read.
    public static let isDeterministic = Self(rawValue: SYNTH_RECOGNIZES_ALIKE.rawValue)
    /// A template or test that does not transcribe. The recognizer is used only if it or its model is specified by
    /// name.
    public static let isExample = Self(rawValue: SYNTH_RECOGNIZER_IS_EXAMPLE.rawValue)
}

/// A model that the user can choose, such as "Whisper base". A recognizer declares it, independently of the registry.
public struct RecognizerModel: Sendable {
    /// An ID that is unique within the recognizer: `[A-Za-z0-9._+-]+`.
    public var id: String
    /// The display name.
    public var name: String
    /// The subset of the recognizer's capabilities that this model has; nil for all.
    public var capabilities: RecognizerCapabilities?
    /// BCP 47 tags; empty for a speech detector, or if the model supports any language.
    public var languages: [String]
    /// The model's license; nil if it is the same as the recognizer's license.
    public var license: String?
    /// The files' download URLs; empty if the model is built in.
    public var sources: [FileSource]

    /// Creates a model.
    public init(
        id: String, name: String, capabilities: RecognizerCapabilities? = nil, languages: [String] = [],
        license: String? = nil, sources: [FileSource] = []
    ) {
        self.id = id
        self.name = name
        self.capabilities = capabilities
        self.languages = languages
        self.license = license
        self.sources = sources
    }
}
