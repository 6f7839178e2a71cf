import Foundation
import Glibc
import TestSupport
import Testing

@testable import ModelStore

@Suite("A pull that is killed", .serialized)
struct KillTests {
    /// More with SYNTHHOST_TEST_KILLS=200.
    private static let kills = ProcessInfo.processInfo.environment["SYNTHHOST_TEST_KILLS"].flatMap { Int($0) } ?? 20

    @Test("at any moment leaves nothing that the next pull does not put right")
    func anyMoment() async throws {
        let folder = try TemporaryFolder()
        let model = Noise.bytes(1_000_000, seed: 1)
        var tar = TarBytes()
        for number in 0..<10 { tar.add("v/\(number)", Noise.bytes(60_000, seed: UInt64(number))) }
        let archive = tar.compressed(.bzip2)
        let server = try LoopbackServer.good(["/model": model, "/rest.tar.bz2": archive])
        let roles = Dictionary(uniqueKeysWithValues: (0..<10).map { ("r\($0)", "v/\($0)") })
        let voice = TestVoice.voice(
            "v",
            [
                try TestVoice.file("model", "model", model, server.base),
                try TestVoice.file(
                    "archive", "rest.tar.bz2", archive, server.base, archive: ArchiveContents(roles: roles)),
            ])
        let registry = try folder.write(try TestVoice.registry([voice]), to: "models.json")

        func pull(_ root: String) throws -> Process {
            try Programs.start(Programs.probe, ["pull", root, Programs.fetch, registry, "v"])
        }
        let start = ContinuousClock.now
        #expect(await Programs.wait(for: try pull(folder.path + "/right")) == 0)
        let whole = (ContinuousClock.now - start) / .seconds(1)
        let right = Tree(folder.path + "/right")
        #expect(right.finalFiles.count == 11)

        var moments = Noise(4711)
        for number in 0..<Self.kills {
            let root = folder.path + "/killed-\(number)"
            let moment = Double.random(in: 0...whole, using: &moments)
            let process = try pull(root)
            try await Task.sleep(for: .seconds(moment))
            kill(process.processIdentifier, SIGKILL)
            _ = await Programs.wait(for: process)
            let found = Tree(root).finalFiles
            let isRight = found.allSatisfy { name, data in
                right.finalFiles[name] == data || name.hasSuffix("/rest.tar.bz2") && Array(data) == archive
            }
            #expect(isRight, "killed after \(moment) s")
            #expect(await Programs.wait(for: try pull(root)) == 0, "killed after \(moment) s")
            #expect(Tree(root) == right, "killed after \(moment) s")
            try? FileManager.default.removeItem(atPath: root)
        }
    }

    @Test("does not disturb another at the same voice, and two at once download it once")
    func twoProcesses() async throws {
        let folder = try TemporaryFolder()
        let model = Noise.bytes(2_000_000, seed: 1)
        let server = try LoopbackServer.good(["/model": model])
        let voice = TestVoice.voice("v", [try TestVoice.file("model", "model", model, server.base)])
        let registry = try folder.write(try TestVoice.registry([voice]), to: "models.json")
        let processes = try (0..<3).map { _ in
            try Programs.start(Programs.probe, ["pull", folder.path + "/root", Programs.fetch, registry, "v"])
        }
        for process in processes { #expect(await Programs.wait(for: process) == 0) }
        #expect(Tree(folder.path + "/root").finalFiles.values.map { Array($0) } == [model])
        #expect(server.requests.filter { ($0.range?.first ?? 0) == 0 }.count == 1)
    }
}
