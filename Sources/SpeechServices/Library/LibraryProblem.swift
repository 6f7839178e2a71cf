package import SynthHost

/// Why something cannot be done with the voices of a service, or was not done.
package enum LibraryProblem: Error, Sendable {
    case unknown(key: String)
    /// Its engine speaks it without any file.
    case builtIn(title: String)
    /// It has no files here.
    case notHere(title: String)
    /// What is to be removed is being downloaded.
    case downloading(title: String)
    /// What is to be removed speaks, or another voice of its model does.
    case speaking(title: String)
    /// It must be downloaded before it can be chosen.
    case notReady(title: String, key: String)
    case notDownloaded(VoiceDownloadProblem, title: String)
    case notRemoved(VoiceDownloadProblem, title: String)
    case configuration(ConfigurationError)
    case speech(SpeechFailure)
}
