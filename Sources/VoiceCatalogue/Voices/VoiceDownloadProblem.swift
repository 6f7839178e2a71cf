/// Why a voice was not downloaded, removed or verified.
@nonexhaustive
public enum VoiceDownloadProblem: Sendable, Hashable {
    /// No server could be reached, or none went on.
    case network
    /// A server has no such file, or sends something else; the last status that one answered with, if any did.
    case refused(status: Int?)
    /// No network by the user's own wish.
    case offline
    /// In bytes, what is missing; nil = unknown.
    case diskFull(missing: Int64?)
    /// What arrived is not what was promised.
    case wrongContent
    /// A file or folder that could not be used, and its `errno` where there is one.
    case file(path: String, code: Int32?)
    /// Another process changes the same files; its id, where it could be told.
    case busy(process: Int32?)
    /// A program of the installation is missing, or failed.
    case installation
}
