import SynthHost
import SynthModelStore
import Testing

@testable import SynthService

@Suite("Download status")
struct DownloadStatusTests {
    @Test("A step is shown only after all data has arrived, and the speed is shown only while data arrives")
    func steps() {
        var status = DownloadStatus(bytes: 0, total: 100)
        func take(_ state: DownloadState) -> DownloadState {
            status.take(state)
            return status.state
        }
        let half = DownloadProgress(bytes: 40, total: 100, bytesPerSecond: 7, timeLeft: .seconds(1))
        #expect(take(.downloading(half)) == .downloading(half))
        #expect(take(.verifying) == .downloading(half) && status.progress.bytesPerSecond == 7)
        #expect(take(.waiting(process: nil)) == .waiting(process: nil) && status.progress.bytesPerSecond == nil)
        #expect(status.progress.bytes == 40)
        let whole = DownloadProgress(bytes: 100, total: 100, bytesPerSecond: 7)
        #expect(take(.downloading(whole)) == .downloading(whole))
        #expect(take(.verifying) == .verifying && status.progress.bytesPerSecond == nil)
        #expect(take(.unpacking) == .unpacking && take(.measuring) == .measuring && status.isRunning)
        #expect(take(.ready) == .measuring)
        let failed = DownloadState.failed(SpeechError(StoreError.busy(entry: "a", process: 1)), mayWorkLater: true)
        #expect(take(failed) == failed)
        #expect(!status.isRunning)
    }
}
