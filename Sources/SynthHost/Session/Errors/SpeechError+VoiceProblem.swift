extension SpeechError {
    /// Why a voice that is known cannot speak.
    @nonexhaustive
    public enum VoiceProblem: Hashable, Sendable {
        /// Its engine, by its id, is not here.
        case engineMissing(String)
        /// Its engine cannot speak it; why, in the words of the registry that lists it, if it says so.
        case notSupported(String?)
        /// Its files are damaged; what is wrong with them.
        case damaged(String)
        /// It has no file for a role that its engine requires.
        case fileMissing(role: String)
    }
}
