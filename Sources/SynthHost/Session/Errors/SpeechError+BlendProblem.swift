extension SpeechError {
    /// Why voices cannot be blended.
    @nonexhaustive
    public enum BlendProblem: Hashable, Sendable {
        /// A voice is missing beside a `+` or `*` of this text.
        case incomplete(String)
        /// What stands after the voice is no weight: a number above 0.
        case weight(String, voice: String)
        /// So many voices were asked for; the most that a blend takes.
        case tooManyVoices(Int, most: Int)
        /// One speaker was asked for, for several voices at once.
        case speaker(String)
        /// The engine blends no voices.
        case notSupported(engine: String)
        /// Two voices, by their titles, are of two engines.
        case twoEngines(String, String)
        /// Two voices, by their titles, are of two models of one engine.
        case twoModels(String, String)
    }
}
