import Foundation
import Glibc
import Synchronization
import SynthSystem
import Testing
import TestSupport

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("Downloads")
struct DownloadTests {
    /// Server faults, with the expected result of the download.
    enum Misbehaviour: String, CaseIterable, CustomTestStringConvertible {
        case none = "has no fault"
        case ignoresRange = "stops halfway and then ignores Range"
        case wrongContentRange = "stops halfway and then sends the wrong range"
        case refusesRange = "stops halfway and then returns 416"
        case stopsHalfWay = "repeatedly stops halfway"
        case resets = "repeatedly resets the connection halfway"
        case hangs = "stops sending once, without closing the connection"
        case hangsForEver = "never sends anything"
        case trickles = "sends single bytes at long intervals"
        case redirects = "redirects to the correct file"
        case redirectsForEver = "redirects to itself"
        case redirectsAway = "redirects to plain HTTP on another host"
        case redirectsToFile = "redirects to a local file"
        case shorter = "has a file that is too short"
        case longer = "has a file that is too long"
        case longerWithoutLength = "sends too much data, without a length"
        case shorterWithoutLength = "sends too little data, without a length"
        case gzip = "sends gzip without being asked"
        case page = "sends a web page with status 200"
        case tooMany = "returns 429 with Retry-After, then the file"
        case tooManyForAnHour = "returns 429 and requests a wait of one hour"
        case tooManyForAges = "returns 429 and requests a wait that overflows an integer"
        case tooManyForEver = "returns 429 and requests an infinite wait"
        case tooManyForNoNumber = "returns 429 and requests a wait of NaN"
        case fails = "returns 500 three times, then the file"
        case failsForEver = "always returns 503"
        case missing = "returns 404"
        case changes = "stops halfway through an incorrect file, and then has the correct file of the same length"
        case changesSilently = "stops halfway through an incorrect file, and then has the correct file, without an ETag"
        case wrongBytes = "has an incorrect file of the correct length"
        case boasts = "declares a length that exceeds the exact range of numbers in JSON"
        case partUnasked = "returns a range without being asked"
        case noHead = "sends the file without a header section"
        case endlessHead = "sends a header section of a megabyte"
        case endlessInterim = "sends thousands of interim responses"

        var testDescription: String { rawValue }

        /// The expected error; `nil` if the download succeeds.
        var end: StoreError.Kind? {
            switch self {
            case .none, .ignoresRange, .wrongContentRange, .refusesRange, .stopsHalfWay, .resets, .hangs, .redirects,
                .tooMany, .fails, .changes, .changesSilently:
                nil
            case .hangsForEver, .trickles, .shorterWithoutLength, .tooManyForAnHour, .tooManyForAges, .tooManyForEver,
                .tooManyForNoNumber, .failsForEver:
                .tryAgain
            case .redirectsForEver, .redirectsAway, .redirectsToFile, .shorter, .longer, .longerWithoutLength, .gzip,
                .page, .missing, .boasts, .partUnasked, .noHead, .endlessHead, .endlessInterim:
                .refused
            case .wrongBytes: .wrongContent
            }
        }

        /// The timeout is short only for faults in which the server stalls.
        var retries: RetryPolicy {
            var retries = TestVoice.retries
            switch self {
            case .hangs:
                retries.stall = 2
                retries.attempts = 1000
            case .hangsForEver, .trickles: retries.stall = 1
            default: break
            }
            return retries
        }

        func answer(_ good: [UInt8], _ request: LoopbackServer.Request, _ number: Int) -> LoopbackServer.Answer {
            var whole = request
            whole.fields["range"] = nil
            var answer = LoopbackServer.Answer(good, to: request)
            let half = answer.body.count / 2
            let other = Noise.bytes(good.count, seed: 99)
            switch self {
            case .none: break
            case .ignoresRange:
                answer = LoopbackServer.Answer(good, to: whole)
                if number == 0 { answer.limit = half }
            case .wrongContentRange:
                if number == 0 {
                    answer.limit = half
                } else if number == 1 {
                    answer.fields["Content-Range"] = "bytes 0-\(good.count - 1)/\(good.count)"
                }
            case .refusesRange:
                if number == 0 { answer.limit = half } else if number == 1 { answer = .init(status: 416) }
            case .stopsHalfWay: if half > 5000 { answer.limit = half }
            case .resets:
                if half > 5000 {
                    answer.limit = half
                    answer.end = .reset
                }
            case .hangs:
                if number == 0 {
                    answer.limit = half
                    answer.end = .hang
                }
            case .hangsForEver:
                answer.limit = 0
                answer.end = .hang
            case .trickles:
                answer.limit = 0
                answer.end = .trickle
            case .redirects:
                if request.path != "/good" { answer = .init(status: 302, fields: ["Location": "/good"]) }
            case .redirectsForEver: answer = .init(status: 302, fields: ["Location": request.path])
            case .redirectsAway: answer = .init(status: 302, fields: ["Location": "http://192.0.2.1/model"])
            case .redirectsToFile: answer = .init(status: 302, fields: ["Location": "file:///etc/passwd"])
            case .shorter: answer = .init(Array(good.dropLast()), to: request)
            case .longer: answer = .init(good + [0], to: whole)
            case .longerWithoutLength:
                answer = .init(good + [0], to: whole)
                answer.fields["Content-Length"] = nil
            case .shorterWithoutLength:
                answer = .init(Array(good.dropLast()), to: whole)
                answer.fields["Content-Length"] = nil
            case .gzip: answer.fields["Content-Encoding"] = "gzip"
            case .page: answer = .init(status: 200, fields: ["Content-Type": "text/html; charset=utf-8"], body: good)
            case .tooMany: if number == 0 { answer = .init(status: 429, fields: ["Retry-After": "1"]) }
            case .tooManyForAges: answer = .init(status: 429, fields: ["Retry-After": "9999999999999999999"])
            case .tooManyForEver: answer = .init(status: 429, fields: ["Retry-After": "inf"])
            case .tooManyForNoNumber: answer = .init(status: 429, fields: ["Retry-After": "nan"])
            case .tooManyForAnHour: answer = .init(status: 429, fields: ["Retry-After": "3600"])
            case .fails: if number < 3 { answer = .init(status: 500) }
            case .failsForEver: answer = .init(status: 503)
            case .missing: answer = .init(status: 404, body: Array("not here".utf8))
            case .changes, .changesSilently:
                let tag = self == .changes ? "\"v\(min(number, 1))\"" : nil
                answer = .init(number == 0 ? other : good, to: request, tag: tag)
                if number == 0 { answer.limit = half }
            case .wrongBytes: answer = .init(other, to: request)
            case .boasts: answer.fields["Content-Length"] = "9223372036854775807"
            case .partUnasked: answer.fields["Content-Range"] = "bytes 7-8/\(good.count)"
            case .noHead: answer.hasHead = false
            case .endlessHead, .endlessInterim:
                let line = self == .endlessHead ? "X-More: and more and more\r\n" : "HTTP/1.1 100 Continue\r\n\r\n"
                answer.hasHead = false
                answer.body = Array(
                    ((self == .endlessHead ? "HTTP/1.1 200 OK\r\n" : "") + String(repeating: line, count: 50_000)).utf8)
            }
            if self == .partUnasked { answer.status = 206 }
            return answer
        }
    }

    @Test(
        "A download ends with either the correct file or a clear error, regardless of what the server does",
        arguments: Misbehaviour.allCases)
    func misbehaviour(_ misbehaviour: Misbehaviour) async throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(300_000, seed: 1)
        let server = try LoopbackServer { misbehaviour.answer(bytes, $0, $1) }
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", bytes, server.base)])
        let store = TestVoice.store(folder.path, network: NetworkPolicy(retries: misbehaviour.retries))
        let error = await TestVoice.failure(store, [voice])
        #expect(error?.kind == misbehaviour.end, "\(error.map(String.init(describing:)) ?? "no error")")
        let files = Tree(folder.path).finalFiles
        if misbehaviour.end == nil {
            let isRight = files.values.map { Array($0) } == [bytes]
            #expect(isRight)
            #expect(store.state(of: voice) == .ready)
        } else {
            #expect(files.isEmpty)
            #expect(store.state(of: voice) != .ready)
        }
    }

    @Test("A resumed download requests the same version of the file")
    func resume() async throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(300_000, seed: 2)
        let attempts = TestVoice.retries.attempts
        let server = try LoopbackServer { request, number in
            var answer = LoopbackServer.Answer(bytes, to: request)
            answer.limit = number == 0 ? 100_000 : nil
            return (1..<attempts + 1).contains(number) ? .init(status: 500) : answer
        }
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", bytes, server.base)])
        #expect(await TestVoice.failure(TestVoice.store(folder.path), [voice])?.kind == .tryAgain)
        let store = TestVoice.store(folder.path)
        #expect(store.state(of: voice) == .notDownloaded(because: "100 kB of 300 kB has been downloaded"))
        let before = server.requests.count
        #expect(await TestVoice.failure(store, [voice]) == nil)
        let asked = server.requests[before...]
        #expect(asked.contains { $0.range?.first == 100_000 && $0.fields["if-range"] == "\"v1\"" })
        #expect(asked.allSatisfy { ($0.range?.first ?? 0) >= 100_000 })
        #expect(Tree(folder.path).finalFiles.values.map { $0 } == [Data(bytes)])
    }

    @Test("In offline mode, no server is contacted, and the error explains how to go online")
    func offline() async throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(1000, seed: 3)
        let server = try LoopbackServer.good(["/model": bytes])
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", bytes, server.base)])
        let policy = NetworkPolicy(environment: ["SYNTHHOST_OFFLINE": "1"])
        let error = await TestVoice.failure(TestVoice.store(folder.path, network: policy), [voice])
        #expect(error?.kind == .offline)
        #expect(error?.cause == .offline)
        #expect(server.requests.isEmpty)
    }

    @Test("The mirror is tried first, followed by the original server if the mirror does not have the file")
    func mirror() async throws {
        let bytes = Noise.bytes(50_000, seed: 4)
        for mirrorHasIt in [true, false] {
            let folder = try TemporaryFolder()
            let server = try LoopbackServer.good(["/model": bytes])
            let mirror = try LoopbackServer.good(
                mirrorHasIt ? ["/copies/127.0.0.1:\(server.port)/model": bytes] : [:])
            let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", bytes, server.base)])
            let policy = NetworkPolicy(mirror: mirror.base + "copies", retries: TestVoice.retries)
            #expect(await TestVoice.failure(TestVoice.store(folder.path, network: policy), [voice]) == nil)
            #expect(mirror.requests.count == 1)
            #expect(server.requests.isEmpty == mirrorHasIt)
        }
    }

    @Test("If neither the mirror nor the server has the file, the error names the mirror")
    func neither() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer.good([:])
        let mirror = try LoopbackServer { _, _ in .init(status: 403) }
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", [1, 2, 3], server.base)])
        let base = "http://localhost:\(mirror.port)/copies"
        let policy = NetworkPolicy(mirror: base, retries: TestVoice.retries)
        let error = await TestVoice.failure(TestVoice.store(folder.path, network: policy), [voice])
        #expect(error?.kind == .refused)
        guard case .notDownloaded(let failure) = error, case .servers(let failures) = failure.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failures.map(\.problem) == [.status(403, .file), .status(404, .file)])
        #expect(failures[0].url.hasPrefix(base + "/") && failures[1].url.hasPrefix(server.base))
        #expect(failure.mirror == base)
    }

    @Test("If the mirror's file is incorrect, the error names the mirror")
    func wrongCopy() async throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(5000, seed: 10)
        let other = Noise.bytes(5000, seed: 11)
        let server = try LoopbackServer.good(["/model": bytes])
        let mirror = try LoopbackServer { request, _ in .init(other, to: request) }
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", bytes, server.base)])
        let policy = NetworkPolicy(mirror: mirror.base, retries: TestVoice.retries)
        let error = await TestVoice.failure(TestVoice.store(folder.path, network: policy), [voice])
        #expect(error?.kind == .wrongContent)
        guard case .wrongDigest("model", _, _, let source, mirror: mirror.base) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(source.hasPrefix(mirror.base))
    }

    @Test("If the mirror URL is invalid, no server is contacted, and the error explains what to set")
    func wrongMirror() async throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(1000, seed: 7)
        let server = try LoopbackServer.good(["/model": bytes])
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", bytes, server.base)])
        let policy = NetworkPolicy(environment: ["SYNTHHOST_MIRROR": "http://mirror.example/"])
        let error = await TestVoice.failure(TestVoice.store(folder.path, network: policy), [voice])
        #expect(error?.kind == .refused)
        #expect(error?.cause == .mirror("http://mirror.example/"))
        #expect(server.requests.isEmpty)
    }

    @Test("Insufficient disk space is reported before the first byte is received, along with how much more is needed")
    func noSpace() async throws {
        let folder = try TemporaryFolder()
        let digest = try require(Digest(.sha256, String(repeating: "a", count: 64)))
        let server = try LoopbackServer.good([:])
        let file = ModelFile(role: "model", name: "model", url: server.base + "model", size: 1 << 50, digest: digest)
        let error = await TestVoice.failure(TestVoice.store(folder.path), [TestVoice.voice("v", [file])])
        #expect(error?.kind == .diskFull)
        guard case .noSpace("v", folder.path, needed: 1 << 50, free: 1..<1 << 50) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test("If the disk becomes full, the download ends immediately")
    func diskFillsUp() throws {
        let bytes = Noise.bytes(50_000, seed: 5)
        let server = try LoopbackServer.good(["/model": bytes])
        let job = DownloadJob(
            urls: [server.base + "model"], part: "/dev/full", size: Int64(bytes.count), retries: TestVoice.retries)
        #expect {
            try FetchProgram(path: Programs.fetch).run(.download(job), lock: -1, cancellation: CancellationSignal()) {
                _ in
            }
        } throws: { error in
            (error as? FetchFailure)?.kind == .diskFull
        }
        #expect(server.requests.count == 1)
    }

    @Test("After a cancellation, the received data is kept, and the next download resumes from there")
    func cancel() async throws {
        let folder = try TemporaryFolder()
        let bytes = Noise.bytes(300_000, seed: 6)
        let server = try LoopbackServer { request, number in
            var answer = LoopbackServer.Answer(bytes, to: request)
            if number == 0 {
                answer.limit = 200_000
                answer.end = .hang
            }
            return answer
        }
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", bytes, server.base)])
        let retries = RetryPolicy(stall: 3600)
        let store = TestVoice.store(folder.path, network: NetworkPolicy(retries: retries))
        let (states, told) = AsyncStream.makeStream(of: DownloadState.self)
        let pull = Task {
            defer { told.finish() }
            return await TestVoice.failure(store, [voice]) { told.yield($0) }
        }
        for await state in states {
            if case .downloading(let progress) = state, progress.bytes > 0 { break }
        }
        pull.cancel()
        #expect(await pull.value?.kind == .cancelled)
        guard case .notDownloaded(because: .some) = store.state(of: voice) else {
            Issue.record("\(store.state(of: voice))")
            return
        }
        #expect(await TestVoice.failure(store, [voice]) == nil)
        #expect((server.requests.last?.range?.first ?? 0) > 0)
    }

    @Test("If the download program crashes, the message reports this and suggests trying again")
    func crash() async throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/fetch"
        try GeneratedProgram.write("#!/bin/sh\nread job\nkill -ILL $$\n", to: program)
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", [1, 2, 3], "http://127.0.0.1:1/")])
        let store = ModelStore(root: folder.path + "/models", fetcher: FetchProgram(path: program))
        let error = await TestVoice.failure(store, [voice])
        #expect(error?.kind == .tryAgain)
        #expect(error?.cause == .crashed(signal: SIGILL))
    }

    @Test("A missing download program is reported")
    func noProgram() async throws {
        let folder = try TemporaryFolder()
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", [1, 2, 3], "http://127.0.0.1:1/")])
        let store = ModelStore(root: folder.path, fetcher: FetchProgram(path: folder.path + "/none"))
        let error = await TestVoice.failure(store, [voice])
        #expect(error?.kind == .file)
        #expect(error?.cause == .program(path: folder.path + "/none", .notStarted(.notFound)))
    }
}

extension StoreError {
    /// The reason that a file was not downloaded; nil for other errors.
    fileprivate var cause: FetchFailure? {
        if case .notDownloaded(let failure) = self { failure.cause } else { nil }
    }
}
