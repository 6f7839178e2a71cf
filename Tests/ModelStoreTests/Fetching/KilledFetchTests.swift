import Foundation
import Glibc
import SynthCatalogue
import SynthSystem
import Testing
import TestSupport

@testable import SynthModelStore

@Suite("Download programs that are killed")
struct KilledFetchTests {
    /// A voice with a plain file and an archive, a server for it, and a download program that is killed during jobs of
    /// one kind.
    private struct Fixture {
        let folder: TemporaryFolder
        let server: LoopbackServer
        let voice: Voice
        let store: ModelStore

        /// - Parameter isAlways: Whether the program is killed during every such job instead of only the first.
        init(dyingOf kind: String, isAlways: Bool) throws {
            folder = try TemporaryFolder()
            var tar = TarBytes()
            tar.add("x/config", Noise.bytes(700, seed: 2))
            let contents = ["/model": Noise.bytes(50_000, seed: 1), "/rest.tar.gz": tar.compressed(.gzip)]
            server = try LoopbackServer.good(contents)
            let base = server.base
            func file(_ role: String, _ name: String, _ archive: ArchiveContents? = nil) throws -> ModelFile {
                try TestVoice.file(role, name, contents["/" + name] ?? [], base, archive: archive)
            }
            voice = TestVoice.voice(
                "v",
                [
                    try file("model", "model"),
                    try file("rest", "rest.tar.gz", ArchiveContents(roles: ["config": "x/config"])),
                ])
            let script = """
                #!/bin/sh
                read -r job
                case $job in '{"\(kind)"'*)
                    \(isAlways ? "" : "[ -e '\(folder.path)/died' ] ||") { : > '\(folder.path)/died'; kill -KILL $$; };;
                esac
                { printf '%s\\n' "$job"; exec cat; } | exec '\(Programs.fetch)'
                """
            let program = folder.path + "/fetch"
            try GeneratedProgram.write(script, to: program)
            store = ModelStore(
                root: folder.path + "/store", fetcher: FetchProgram(path: program),
                network: NetworkPolicy(retries: TestVoice.retries))
        }

        var hasDied: Bool { FileManager.default.fileExists(atPath: folder.path + "/died") }
    }

    @Test(
        "If the program is killed once, it is restarted, and the download succeeds", arguments: ["download", "unpack"])
    func once(_ kind: String) async throws {
        let fixture = try Fixture(dyingOf: kind, isAlways: false)
        #expect(await TestVoice.failure(fixture.store, [fixture.voice]) == nil)
        #expect(fixture.hasDied)
        #expect(fixture.store.state(of: fixture.voice) == .ready)
        #expect(try await fixture.store.verify().isEmpty)
    }

    @Test("If the program is killed during verification, it is restarted and finds the damage")
    func verifying() async throws {
        let fixture = try Fixture(dyingOf: "digest", isAlways: false)
        #expect(await TestVoice.failure(fixture.store, [fixture.voice]) == nil)
        let path = try require(fixture.store.installedVoice(id: "v")?.files.first { $0.role == "model" }?.path)
        var bytes = Noise.bytes(50_000, seed: 1)
        bytes[7] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(try await fixture.store.verify().map(\.path) == [path])
        #expect(fixture.hasDied)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("If the program is killed repeatedly during unpacking, an error is reported, and no unpacked files remain")
    func always() async throws {
        let fixture = try Fixture(dyingOf: "unpack", isAlways: true)
        let error = await TestVoice.failure(fixture.store, [fixture.voice])
        guard case .notRead(_, .crashed(SIGKILL)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.kind == .tryAgain)
        #expect(Tree(fixture.store.root).entries.keys.allSatisfy { !$0.contains(".unpacked") })
        let whole = ModelStore(root: fixture.store.root, fetcher: FetchProgram(path: Programs.fetch))
        #expect(await TestVoice.failure(whole, [fixture.voice]) == nil)
        #expect(whole.state(of: fixture.voice) == .ready)
    }

    @Test("If the program is killed repeatedly during verification, an error is reported, and nothing is removed")
    func alwaysVerifying() async throws {
        let fixture = try Fixture(dyingOf: "digest", isAlways: true)
        #expect(await TestVoice.failure(fixture.store, [fixture.voice]) == nil)
        let before = Tree(fixture.store.root)
        await #expect(throws: StoreError.self) { try await fixture.store.verify() }
        #expect(Tree(fixture.store.root) == before)
    }
}
