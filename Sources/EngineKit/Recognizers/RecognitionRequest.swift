import CSynthEngine

/// One sound to understand.
public struct RecognitionRequest: Sendable {
    /// BCP-47, one that the model declares; `nil` = find out, or the only one.
    public let language: String?
    public let hints: RecognitionHints
    /// The sound comes as it is spoken, and somebody waits.
    public let isLive: Bool
    /// The text is to be English, whatever is spoken. Only with the capability `.translates`.
    public let isToBeEnglish: Bool
    /// What the host uses. What it does not want is dropped, and need not be computed.
    public let wants: RecognitionWants

    init(_ recognition: synth_recognition, of recognizer: RecognizerDescription) {
        language = recognition.language.map { String(cString: $0) }
        hints = recognition.hints.map { RecognitionHints(synth_hints_known($0)) } ?? RecognitionHints(synth_hints())
        isLive = recognition.flags & SYNTH_LIVE.rawValue != 0
        isToBeEnglish =
            recognition.flags & SYNTH_TO_ENGLISH.rawValue != 0 && recognizer.capabilities.contains(.translates)
        wants = RecognitionWants(rawValue: recognition.wants)
    }
}

/// What the sound is likely to say.
public struct RecognitionHints: Sendable {
    public enum Kind: Sendable {
        /// Anything may be said.
        case text
        /// A number is expected; in digits or in words, the host reads both.
        case number
        /// One of the phrases is expected.
        case choice
    }

    public let kind: Kind
    /// What was said before, or a sentence with names and terms.
    public let context: String?
    /// What may be chosen if `kind` is `.choice`; else names and terms that may occur.
    public let phrases: [String]

    init(_ hints: synth_hints) {
        switch hints.kind {
        case SYNTH_HINT_NUMBER.rawValue: kind = .number
        case SYNTH_HINT_CHOICE.rawValue: kind = .choice
        default: kind = .text
        }
        context = hints.context.map { String(cString: $0) }
        // An empty one keeps the places of the others.
        phrases = UnsafeBufferPointer(start: hints.phrases, count: hints.phrases == nil ? 0 : hints.phrase_count)
            .map { phrase in phrase.map { String(cString: $0) } ?? "" }
    }
}

/// What the host wants of a recognition, beside final texts.
public struct RecognitionWants: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let partials = Self(rawValue: SYNTH_WANT_PARTIALS.rawValue)
    public static let words = Self(rawValue: SYNTH_WANT_SPOKEN_WORDS.rawValue)
    public static let speechEvents = Self(rawValue: SYNTH_WANT_SPEECH_EVENTS.rawValue)
}
