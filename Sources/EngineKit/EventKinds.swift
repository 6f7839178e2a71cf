import CSynthEngine

/// Kinds of events that the host wants.
public struct EventKinds: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let sentences = Self(rawValue: SYNTH_SENTENCE.rawValue)
    public static let words = Self(rawValue: SYNTH_WORD.rawValue)
    public static let phonemes = Self(rawValue: SYNTH_PHONEME.rawValue)
}
