import SynthHost

extension InstallationError {
    /// What is missing.
    var sentence: String { "The program \(missing) of synthhost is missing; install synthhost again." }
}

extension ConfigurationError {
    /// That the configuration counts as empty.
    var sentence: String { "The configuration of synthhost cannot be used; `synthhost doctor` says why." }
}
