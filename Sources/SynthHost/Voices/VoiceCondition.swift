/// Whether a voice could speak now.
package enum VoiceCondition: Hashable, Sendable {
    /// The engine speaks it without any file.
    case builtIn
    case ready
    /// `because` is set if its files are damaged or incomplete.
    case notDownloaded(because: String?)
    /// It is the user's own, and something is wrong with its files.
    case damaged(String)
    /// It can be downloaded, but its engine cannot speak it.
    case unsupported
    /// Its engine is not installed.
    case engineMissing(String)

    package var words: String {
        switch self {
        case .builtIn: "built in"
        case .ready: "ready"
        case .notDownloaded(nil): "not downloaded"
        case .notDownloaded(let reason?): "not downloaded: \(reason)"
        case .damaged(let reason): "damaged: \(reason)"
        case .unsupported: "not supported"
        case .engineMissing(let engine): "needs the engine \(engine)"
        }
    }

    package var canSpeak: Bool { self == .builtIn || self == .ready }
}
