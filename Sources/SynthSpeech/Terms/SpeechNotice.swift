package import SynthScript
public import SynthSystem

/// A deviation from the request, usually because an engine does not support a feature or failed.
@nonexhaustive
public enum SpeechNotice: Hashable, Sendable {
    /// The engine with this ID did not speak phonemes in the text. The associated value is nil in a notice that
    /// summarizes all remaining words.
    case phonemesSkipped(engine: String, Phonemes?)
    /// The engine with this ID does not support pitch changes within a sentence and used the mean pitch.
    case contourSkipped(engine: String)
    /// The engine with this ID does not support whispering and spoke normally.
    case whisperSkipped(engine: String)
    /// The text refers to a sound at this web address, which was skipped because sounds are never downloaded.
    case soundSkipped(String)
    /// A voice's engine failed, and another voice speaks the remaining text.
    case voiceReplaced(VoiceReplacement)
    /// The engine with this ID failed repeatedly. Other voices replace its voices for the given duration.
    case engineInCooldown(String, Duration)

    /// Phonemes that the engine did not speak.
    public struct Phonemes: Hashable, Sendable {
        /// The written word that the engine spoke instead, or nil if the text contains only phonemes.
        public let word: String?
        /// The phonemes as written in the text or the lexicon.
        public let ipa: String
        /// The path of the lexicon that contains the phonemes: empty if the lexicon is not a file, nil if the phonemes are in the
        /// text.
        public let lexicon: String?
        /// The line number in the lexicon, starting at 1, or 0 if the phonemes are in the text.
        public let line: Int
        /// The engine's error message for phonemes that it cannot pronounce, or nil if it does not support phonemes.
        public let reason: String?

        package init(_ pronunciation: ScriptPronunciation, of text: some StringProtocol, reason: String? = nil) {
            word = pronunciation.hasWords ? String(text) : nil
            ipa = pronunciation.ipa
            lexicon = pronunciation.lexicon?.file
            line = pronunciation.lexicon?.line ?? 0
            self.reason = reason
        }
    }

    /// Creates the notices for an utterance whose phonemes the engine did not speak, in text order.
    package static func phonemesSkipped(
        of utterance: Utterance, engine: String, reason: String? = nil
    ) -> [SpeechNotice] {
        let bytes = utterance.text.utf8
        return utterance.pronunciations.map { pronunciation in
            let start = bytes.index(bytes.startIndex, offsetBy: pronunciation.range.lowerBound)
            let end = bytes.index(start, offsetBy: pronunciation.range.count)
            return .phonemesSkipped(
                engine: engine, Phonemes(pronunciation.value, of: utterance.text[start..<end], reason: reason))
        }
    }
}

/// A switch to another voice after the requested voice's engine failed.
public struct VoiceReplacement: Sendable {
    /// The requested voice, or nil if its engine is unusable and the voice was not found.
    public let voice: SpeechVoice?
    /// The fallback voice.
    public let other: SpeechVoice
    /// The error that caused the replacement.
    public let error: SpeechError

    package init(_ voice: SpeechVoice?, by other: SpeechVoice, because error: SpeechError) {
        self.voice = voice
        self.other = other
        self.error = error
    }
}

/// Equality ignores the error.
extension VoiceReplacement: Hashable {
    public static func == (one: VoiceReplacement, two: VoiceReplacement) -> Bool {
        one.voice == two.voice && one.other == two.other
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(voice)
        hasher.combine(other)
    }
}
