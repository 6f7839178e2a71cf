import SynthHost
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthService

@Suite("Downloads that a caller waits for", .ownThreads)
struct AwaitedDownloadTests {
    @Test("A caller gets a usable voice regardless of when the download ends")
    func moments() throws {
        let double = TestBackend(TestEngine())
        for _ in 0..<2000 {
            let voices = TestBackend(ready: ["Ann"], missing: ["Eve"])
            let library = ServiceLibrary(SpeechHost(voices), double.warm)
            let answer = Monitor<Bool?>(nil)
            startThread("waits") {
                let isReady = try? library.downloadWhole("test/Eve") { _ in }
                answer.update { $0 = isReady ?? false }
            }
            voices.download(of: "Eve").arrive(500, of: 1000)
            voices.finish("Eve")
            #expect(answer.wait { $0 } == true)
        }
    }
}
