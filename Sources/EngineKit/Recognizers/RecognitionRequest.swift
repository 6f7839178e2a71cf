import CSynthEngine

/// A request to transcribe audio.
public struct RecognitionRequest: Sendable {
    /// A BCP 47 tag that the model declares; nil to detect the language or to use the model's only language.
    public let language: String?
    /// Hints about the content of the audio.
    public let hints: RecognitionHints
    /// Whether the audio is live and a user is waiting for the text.
    public let isLive: Bool
    /// Whether to translate to English, regardless of the spoken language. Requires the capability `.translates`.
    public let translatesToEnglish: Bool
    /// The results that the host uses. Other results are dropped and need not be computed.
    public let wants: RecognitionWants

    init(_ recognition: synth_recognition, of recognizer: RecognizerDescription) {
        language = recognition.language.map { String(cString: $0) }
        hints = recognition.hints.map { RecognitionHints(synth_hints_known($0)) } ?? RecognitionHints(synth_hints())
        isLive = recognition.flags & SYNTH_LIVE.rawValue != 0
        translatesToEnglish =
            recognition.flags & SYNTH_TO_ENGLISH.rawValue != 0 && recognizer.capabilities.contains(.translates)
        wants = RecognitionWants(rawValue: recognition.wants)
    }
}

/// Hints about the content of the audio.
public struct RecognitionHints: Sendable {
    /// The expected kind of text.
    public enum Kind: Sendable {
        /// Any text.
        case text
        /// A number, in digits or in words; the host parses both.
        case number
        /// One of the phrases.
        case choice
    }

    /// The expected kind of text.
    public let kind: Kind
    /// Preceding text, or a sentence with names and terms.
    public let context: String?
    /// The choices if `kind` is `.choice`; otherwise names and terms that may occur.
    public let phrases: [String]

    init(_ hints: synth_hints) {
        switch hints.kind {
        case SYNTH_HINT_NUMBER.rawValue: kind = .number
        case SYNTH_HINT_CHOICE.rawValue: kind = .choice
        default: kind = .text
        }
        context = hints.context.map { String(cString: $0) }
        // Keep empty phrases so that the indices of the other phrases do not change.
        phrases = UnsafeBufferPointer(start: hints.phrases, count: hints.phrases == nil ? 0 : hints.phrase_count)
            .map { phrase in phrase.map { String(cString: $0) } ?? "" }
    }
}

/// The results that the host wants in addition to final texts.
public struct RecognitionWants: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Partial texts while audio is still arriving.
    public static let partials = Self(rawValue: SYNTH_WANT_PARTIALS.rawValue)
    /// The words of each text, with their time ranges in the audio.
    public static let words = Self(rawValue: SYNTH_WANT_SPOKEN_WORDS.rawValue)
    /// The beginnings and ends of speech.
    public static let speechEvents = Self(rawValue: SYNTH_WANT_SPEECH_EVENTS.rawValue)
    public static let leftOut = Self(rawValue: SYNTH_WANT_LEFT_OUT.rawValue)
}
