package import SynthScript
public import SynthSystem

/// Something that was done otherwise than a text asks, because an engine cannot do it.
@nonexhaustive
public enum SpeechNotice: Hashable, Sendable {
    /// The engine, by its id, did not speak phonemes of a text. nil = of more words than are named one by one.
    case phonemesLeftOut(engine: String, Phonemes?)
    /// The engine, by its id, does not change the pitch inside a sentence: it spoke with the mean of what the text asks for.
    case contourLeftOut(engine: String)
    /// The engine, by its id, does not whisper: it spoke as usual.
    case whisperLeftOut(engine: String)
    /// The engine of a voice failed; another voice speaks the rest.
    case voiceReplaced(VoiceReplacement)
    /// The engine, by its id, failed so often that other voices speak for its own for this time.
    case engineRests(String, Duration)

    /// Phonemes that were not spoken.
    public struct Phonemes: Hashable, Sendable {
        /// What was spoken instead, as it is written; nil = nothing, because the text has only the phonemes.
        public let word: String?
        /// As the text or the lexicon has them.
        public let ipa: String
        /// The path of the lexicon that has them, empty for one that is no file; nil = the text has them.
        public let lexicon: String?
        /// Of the lexicon, from 1; 0 = the text has them.
        public let line: Int
        /// The engine's sentence about what it cannot say of them; nil = it takes no phonemes.
        public let reason: String?

        package init(_ pronunciation: ScriptPronunciation, of text: some StringProtocol, reason: String? = nil) {
            word = pronunciation.hasWords ? String(text) : nil
            ipa = pronunciation.ipa
            lexicon = pronunciation.lexicon?.file
            line = pronunciation.lexicon?.line ?? 0
            self.reason = reason
        }
    }

    /// What is told of an utterance of which the engine speaks no phonemes, in the order of the text.
    package static func phonemesLeftOut(
        of utterance: Utterance, engine: String, reason: String? = nil
    ) -> [SpeechNotice] {
        let bytes = utterance.text.utf8
        return utterance.pronunciations.map { pronunciation in
            let start = bytes.index(bytes.startIndex, offsetBy: pronunciation.range.lowerBound)
            let end = bytes.index(start, offsetBy: pronunciation.range.count)
            return .phonemesLeftOut(
                engine: engine, Phonemes(pronunciation.value, of: utterance.text[start..<end], reason: reason))
        }
    }
}

/// Another voice speaks, from somewhere in a text on, because the engine of the one that should could not.
public struct VoiceReplacement: Sendable {
    /// Who should have spoken; nil = it was not found, because its engine cannot be used at all.
    public let voice: SpeechVoice?
    /// Who speaks on.
    public let other: SpeechVoice
    /// What happened.
    public let error: SpeechError

    package init(_ voice: SpeechVoice?, by other: SpeechVoice, because error: SpeechError) {
        self.voice = voice
        self.other = other
        self.error = error
    }
}

/// What happened does not count.
extension VoiceReplacement: Hashable {
    public static func == (one: VoiceReplacement, two: VoiceReplacement) -> Bool {
        one.voice == two.voice && one.other == two.other
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(voice)
        hasher.combine(other)
    }
}
