extension SpeechError {
    /// What is wrong with a script.
    @nonexhaustive
    public enum ScriptProblem: Hashable, Sendable {
        /// It has more bytes than a script may have.
        case tooLong(limit: Int)
        /// Its elements or lists are too deep inside each other.
        case tooDeep(limit: Int)
        /// Something is missing, such as `</voice>`.
        case expected(String)
        /// Something is there that must not be.
        case unexpected(String)
        /// A declaration or an entity that is never followed.
        case refused(String)
        /// The value of an attribute or a token cannot be used.
        case badValue(of: String, value: String)
    }
}
