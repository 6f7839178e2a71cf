import CSynthEngine

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
    /// The same request gives the same frames, in any lane and process.
    public static let isDeterministic = Self(rawValue: SYNTH_IS_DETERMINISTIC.rawValue)
    /// A long text sounds as soon as a short one. Without it the host may begin with a clause only.
    public static let streams = Self(rawValue: SYNTH_CAN_STREAM.rawValue)
    /// Heeds `SpeechRequest.variation`.
    public static let varies = Self(rawValue: SYNTH_CAN_VARY.rawValue)
    /// Speaks no language: a template or a test. It is used only if it or its voice is named.
    public static let isExample = Self(rawValue: SYNTH_IS_EXAMPLE.rawValue)
}
