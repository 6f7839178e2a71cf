/// Something that was done otherwise than a text asks, because the engine cannot do it.
@nonexhaustive
public enum SpeechNotice: Hashable, Sendable {
    /// The engine, by its id, takes no phonemes: it spoke the words, or nothing if there were none.
    case phonemesLeftOut(engine: String)
}
