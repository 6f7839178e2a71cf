import Foundation
import SynthSystem
import Testing
import TestSupport

@testable import SynthModelStore

@Suite("The confinement of the download program")
struct ConfinedFetchTests {
    @Test("The program has a system call filter, cannot gain privileges, and can write its part file through a link")
    func download() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/in", withDestinationPath: other.path)
        let bytes = Noise.bytes(300_000, seed: 1)
        let server = try LoopbackServer { request, _ in
            var answer = LoopbackServer.Answer(bytes, to: request)
            answer.limit = 200_000
            answer.end = .hang
            return answer
        }
        let fetch = try RunningFetch(
            DownloadJob(
                urls: [server.base + "model"], part: "\(folder.path)/in/part", size: Int64(bytes.count),
                retries: RetryPolicy(stall: 3600)))
        try fetch.waitForProgress(200_000)
        let status = try String(contentsOfFile: "/proc/\(fetch.process.identifier)/status", encoding: .utf8)
        #expect(status.contains("\nNoNewPrivs:\t1\n"))
        #expect(status.contains("\nSeccomp:\t2\n"))
        #expect(FileManager.default.contents(atPath: "\(other.path)/part") == Data(bytes.prefix(200_000)))
        #expect(server.requests.count == 1)
    }
}
