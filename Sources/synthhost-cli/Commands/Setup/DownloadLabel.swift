import ModelStore
import Synchronization
import SynthHost
import Terminal
import VoiceCatalogue

/// The label of the progress line for a state of a voice. A new label starts a new count, so it changes only if
/// something different happens.
final class DownloadLabel: Sendable {
    private let title: String
    private let isComplete = Mutex(false)

    init(_ voice: Voice) { title = voice.title }

    /// nil = nothing is shown.
    func show(_ state: ModelState) -> (text: String, measure: Progress.Measure)? {
        switch state {
        case .downloading(let progress):
            isComplete.withLock { $0 = progress.bytes == progress.total }
            let notice = progress.notice.map { " (\($0.words))" } ?? ""
            return ("Downloading \(title)\(notice)", .bytes(done: progress.bytes, total: progress.total))
        case .waiting(let process?): return ("Waiting for process \(process), which downloads \(title)", .unknown)
        case .waiting(nil): return ("Waiting for another process, which downloads \(title)", .unknown)
        // A small file may be verified while a large one is still downloading.
        case .verifying: return isComplete.withLock(\.self) ? ("Checking \(title)", .unknown) : nil
        case .unpacking: return ("Unpacking \(title)", .unknown)
        case .ready, .notDownloaded, .failed: return nil
        }
    }
}
