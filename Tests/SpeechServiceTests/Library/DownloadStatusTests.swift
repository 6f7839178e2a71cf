import SynthHost
import Testing

@testable import SpeechService

@Suite("The status of a download")
struct DownloadStatusTests {
    @Test("shows a step only when all has arrived, and speed only while something arrives")
    func steps() {
        var status = DownloadStatus(bytes: 0, total: 100)
        func take(_ state: VoiceDownload.State) -> DownloadStatus.Stage {
            status.take(state)
            return status.stage
        }
        #expect(take(.downloading(bytes: 40, of: 100, bytesPerSecond: 7, timeLeft: .seconds(1))) == .downloading)
        #expect(take(.verifying) == .downloading && status.bytesPerSecond == 7)
        #expect(take(.waiting(process: nil)) == .waiting && status.bytesPerSecond == nil && status.bytes == 40)
        #expect(take(.downloading(bytes: 100, of: 100, bytesPerSecond: 7, timeLeft: nil)) == .downloading)
        #expect(take(.verifying) == .verifying && status.bytesPerSecond == nil)
        #expect(take(.unpacking) == .unpacking && take(.measuring) == .measuring && status.isRunning)
        #expect(take(.ready) == .measuring)
        #expect(take(.failed(.network, mayWorkLater: true)) == .failed(.network, mayWorkLater: true))
        #expect(!status.isRunning)
    }
}
