/// Whether a voice could speak now, in the words of every list.
package enum VoiceCondition: Hashable, Sendable {
    /// The engine speaks it without any file.
    case builtIn
    case ready
    /// `because` is said where its files once were here, or are half here.
    case notDownloaded(because: String?)
    /// It is the user's own, and something is wrong with its files.
    case damaged(String)
    /// It can be downloaded, and the engine cannot speak it.
    case unsupported
    /// Its files are here, or can be had, and the engine is not.
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
