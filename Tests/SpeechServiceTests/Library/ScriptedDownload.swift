import SynthHost
import SynthSystem

/// A download controlled by a test.
final class ScriptedDownload: Sendable {
    private let continuation: AsyncStream<DownloadState>.Continuation
    let download: VoiceDownload
    /// Whether it was cancelled. Even then, it ends only when the test ends it, or immediately if it is obedient.
    let isCancelled = Monitor(false)

    init(isObedient: Bool = true) {
        let (states, continuation) = AsyncStream.makeStream(
            of: DownloadState.self, bufferingPolicy: .bufferingNewest(1))
        self.continuation = continuation
        download = VoiceDownload(testing: states) { [isCancelled] in
            isCancelled.update { $0 = true }
            guard isObedient else { return }
            continuation.yield(.cancelled)
            continuation.finish()
        }
    }

    func arrive(_ bytes: Int64, of total: Int64) {
        continuation.yield(
            .downloading(
                DownloadProgress(bytes: bytes, total: total, bytesPerSecond: 1000, timeLeft: .seconds(3))))
    }

    func be(_ state: DownloadState) { continuation.yield(state) }

    func end(_ state: DownloadState) {
        continuation.yield(state)
        continuation.finish()
    }
}
