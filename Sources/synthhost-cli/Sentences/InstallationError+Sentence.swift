import SynthHost

extension InstallationError {
    /// What happened, in one sentence.
    var message: String {
        "The program \(missing) is missing: \(candidates.joined(separator: ", ")) does not exist."
    }

    /// What to type next, in one sentence.
    var remedy: String {
        "Install synthhost again, or set SYNTHHOST_PREFIX to the folder that it is installed in."
    }
}
