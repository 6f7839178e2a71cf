import Foundation
import Glibc
import Synchronization
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("Killed pulls")
struct KillTests {
    private static let kills = LongForm.choose(20, long: 200)

    /// A voice with a plain file and an archive, and a server that can stop in the middle of a response.
    private struct Fixture {
        let folder: TemporaryFolder
        let server: LoopbackServer
        let archive: [UInt8]
        let model: [UInt8]
        let registry: String
        let right: Tree
        let calls: Int
        /// The number of bytes after which the next response hangs; `nil` for never.
        let hang: Hang

        final class Hang: Sendable {
            let limit = Mutex<Int?>(nil)
            let reached: AsyncStream<Void>
            let continuation: AsyncStream<Void>.Continuation
            init() { (reached, continuation) = AsyncStream.makeStream() }
        }

        init() async throws {
            folder = try TemporaryFolder()
            let model = Noise.bytes(1_000_000, seed: 1)
            var tar = TarBytes()
            for number in 0..<10 { tar.add("v/\(number)", Noise.bytes(60_000, seed: UInt64(number))) }
            let archive = tar.compressed(.bzip2)
            let hang = Hang()
            server = try LoopbackServer { request, _ in
                var answer = LoopbackServer.Answer(request.path == "/model" ? model : archive, to: request)
                let limit = hang.limit.withLock { limit in
                    guard let bytes = limit else { return nil as Int? }
                    limit = bytes >= answer.body.count ? bytes - answer.body.count : nil
                    return bytes >= answer.body.count ? nil : bytes
                }
                if let limit {
                    answer.limit = limit
                    answer.end = .hang
                    hang.continuation.yield()
                }
                return answer
            }
            let roles = Dictionary(uniqueKeysWithValues: (0..<10).map { ("r\($0)", "v/\($0)") })
            let voice = TestVoice.voice(
                "v",
                [
                    try TestVoice.file("model", "model", model, server.base),
                    try TestVoice.file(
                        "archive", "rest.tar.bz2", archive, server.base, archive: ArchiveContents(roles: roles)),
                ])
            registry = try folder.write(try TestVoice.registry([voice]), to: "models.json")
            self.model = model
            self.archive = archive
            self.hang = hang
            let output = Pipe()
            let whole = try Programs.start(
                Programs.probe, ["pull", "0", folder.path + "/right", Programs.fetch, registry, "v"], output: output)
            #expect(await Programs.wait(for: whole) == 0)
            let words = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            calls = try require(Int(words.split(separator: "\n").last ?? ""))
            right = Tree(folder.path + "/right")
            #expect(right.finalFiles.count == 11)
        }

        func pull(_ root: String, dyingAt call: Int? = nil) throws -> Process {
            try Programs.start(
                Programs.probe, ["pull", call.map(String.init) ?? "-", root, Programs.fetch, registry, "v"])
        }

        /// Checks that a killed pull left no incorrect files behind, and that the next pull repairs everything.
        func check(_ root: String, _ moment: String) async throws {
            let isRight = Tree(root).finalFiles.allSatisfy { name, data in
                right.finalFiles[name] == data || name.hasSuffix("/rest.tar.bz2") && Array(data) == archive
            }
            #expect(isRight, "\(moment)")
            #expect(await Programs.wait(for: try pull(root)) == 0, "\(moment)")
            #expect(Tree(root) == right, "\(moment)")
            try? FileManager.default.removeItem(atPath: root)
        }
    }

    @Test("If a pull is killed before any file system call, the next pull can repair everything")
    func atCalls() async throws {
        let fixture = try await Fixture()
        var chance = SeededRandom(4711)
        for _ in 0..<(Self.kills + 1) / 2 {
            let call = Int.random(in: 1...fixture.calls, using: &chance)
            let root = fixture.folder.path + "/call-\(call)"
            #expect(await Programs.wait(for: try fixture.pull(root, dyingAt: call)) == SIGKILL)
            try await fixture.check(root, "killed before call \(call) of \(fixture.calls)")
        }
    }

    @Test("If a pull is killed during a transfer, the next pull can repair everything")
    func atBytes() async throws {
        let fixture = try await Fixture()
        var chance = SeededRandom(1147)
        var reached = fixture.hang.reached.makeAsyncIterator()
        for _ in 0..<Self.kills / 2 {
            let bytes = Int.random(in: 0..<fixture.model.count + fixture.archive.count, using: &chance)
            let root = fixture.folder.path + "/byte-\(bytes)"
            fixture.hang.limit.withLock { $0 = bytes }
            let process = try fixture.pull(root)
            _ = await reached.next()
            kill(process.processIdentifier, SIGKILL)
            #expect(await Programs.wait(for: process) == SIGKILL)
            try await fixture.check(root, "killed after \(bytes) bytes")
        }
    }

    @Test("Three concurrent pulls download a voice once, and all succeed")
    func threeProcesses() async throws {
        let fixture = try await Fixture()
        let before = fixture.server.requests.count
        let root = fixture.folder.path + "/root"
        let processes = try (0..<3).map { _ in try fixture.pull(root) }
        for process in processes { #expect(await Programs.wait(for: process) == 0) }
        #expect(Tree(root) == fixture.right)
        #expect(fixture.server.requests.dropFirst(before).filter { ($0.range?.first ?? 0) == 0 }.count == 2)
    }
}
