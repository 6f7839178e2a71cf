/// Something that was done otherwise than a text asks, because an engine cannot do it.
@nonexhaustive
public enum SpeechNotice: Hashable, Sendable {
    /// The engine, by its id, takes no phonemes: it spoke the words, or nothing if there were none.
    case phonemesLeftOut(engine: String)
    /// The engine of a voice failed; another voice speaks the rest.
    case voiceReplaced(VoiceReplacement)
    /// The engine, by its id, failed so often that other voices speak for its own for this time.
    case engineRests(String, Duration)
}
