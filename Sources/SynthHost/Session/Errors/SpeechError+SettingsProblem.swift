extension SpeechError {
    /// What says how to speak, and cannot be used.
    @nonexhaustive
    public enum SettingsProblem: Equatable, Sendable {
        /// A variable of the environment is not UTF-8, so it would lead to other files than it says.
        case environment(variable: String)
        /// The configuration says something wrong, or cannot be read.
        case configuration(ConfigurationError)
        /// A registry of voices says something wrong, or cannot be read: its path, or the engine that declares the
        /// voices, and the line, if it is known.
        case registry(String, line: Int?)
    }
}
