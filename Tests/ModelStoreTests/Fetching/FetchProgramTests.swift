import Foundation
import Glibc
import SynthSystem
import Testing
import TestSupport

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("The download program", .serialized)
struct FetchProgramTests {
    /// The maximum CPU time as a share of the elapsed time. On a busy machine, the actual share is lower.
    private static let largestShare = 0.05

    @Test("A slow or silent server causes hardly any CPU load")
    func slowServer() throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(2_000_000, seed: 8)
        let server = try LoopbackServer { request, _ in
            var answer = LoopbackServer.Answer(bytes, to: request)
            answer.limit = 0
            answer.end = .trickle
            answer.piece = 25_000
            answer.pieces = 30
            return answer
        }
        let fetch = try RunningFetch(
            DownloadJob(
                urls: [server.base + "model"], part: folder.path + "/part", size: Int64(bytes.count),
                retries: RetryPolicy(stall: 3600)))
        // The cost of starting the program is excluded.
        try fetch.waitForProgress(25_000)
        func pause() { poll(nil, 0, 2000) }
        let slow = try share(of: fetch) {
            let start = ContinuousClock.now
            try fetch.waitForProgress(750_000)
            // If most of the data arrived before the measurement, the measurement would be too short.
            if ContinuousClock.now - start < .seconds(2) { pause() }
        }
        #expect(slow < Self.largestShare)
        #expect(try share(of: fetch) { pause() } < Self.largestShare)
        #expect(server.requests.count == 1)
    }

    @Test("All received bytes are reported, even if they arrive together and no more follow")
    func progressBeforeStall() throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(2_000_000, seed: 9)
        let server = try LoopbackServer { request, _ in
            var answer = LoopbackServer.Answer(bytes, to: request)
            answer.limit = 1_500_000
            answer.end = .hang
            return answer
        }
        let fetch = try RunningFetch(
            DownloadJob(
                urls: [server.base + "model"], part: folder.path + "/part", size: Int64(bytes.count),
                retries: RetryPolicy(stall: 3600)))
        try fetch.waitForProgress(1_500_000)
        #expect(server.requests.count == 1)
    }

    @Test("The proxy in the environment is used")
    func proxy() throws {
        let folder = try TemporaryFolder()
        let proxy = try LoopbackServer { _, _ in .init(status: 403) }
        let job = DownloadJob(
            urls: ["https://voices.invalid/model"], part: folder.path + "/part", size: 100,
            retries: RetryPolicy(stall: 3600, attempts: 1))
        let fetch = try RunningFetch(job, environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)"])
        _ = try fetch.finish()
        #expect(proxy.requests.map(\.path) == ["voices.invalid:443"])
    }

    @Test(
        "An error is reported if the file size limit is reached, and only the part file remains",
        .disabled(if: Sanitizer.isThread, "ThreadSanitizer needs files."))
    func fileLimit() throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(300_000, seed: 12)
        let server = try LoopbackServer.good(["/model": bytes])
        let job = DownloadJob(
            urls: [server.base + "model"], part: folder.path + "/part", size: Int64(bytes.count),
            retries: TestVoice.retries)
        for blocks in [0, 100] {
            let fetch = try RunningFetch(job, limit: blocks)
            guard case .failed(let failure) = try fetch.finish() else {
                Issue.record("\(fetch.events)")
                continue
            }
            #expect(failure.kind == .fileLimit)
            #expect(
                failure
                    == .part(
                        FileFailure(.fileTooLarge, call: "write", path: job.part),
                        missing: Int64(bytes.count - blocks * 512)))
            #expect(Tree(folder.path).entries.keys.sorted() == ["part"])
        }
    }

    /// The program's CPU time, as a share of the duration of `body`.
    private func share(of fetch: RunningFetch, during body: () throws -> Void) throws -> Double {
        let (before, start) = (try fetch.processorTime, ContinuousClock.now)
        try body()
        return try (fetch.processorTime - before) / ((ContinuousClock.now - start) / .seconds(1))
    }
}
