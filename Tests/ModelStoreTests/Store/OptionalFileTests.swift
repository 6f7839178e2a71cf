import Foundation
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("Optional model files")
struct OptionalFileTests {
    private static let contents = [
        "/big": Noise.bytes(50_000, seed: 1), "/us": Noise.bytes(4_000, seed: 2), "/gb": Noise.bytes(4_000, seed: 3),
        "/a.style": Noise.bytes(1_000, seed: 4), "/b.style": Noise.bytes(1_000, seed: 5),
    ]

    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let store: ModelStore

    /// - Parameter missing: The files that the server does not have.
    private init(missing: Set<String> = []) throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer.good(Self.contents.filter { !missing.contains($0.key) })
        store = TestVoice.store(folder.path)
    }

    init() throws { try self.init(missing: []) }

    private func file(_ role: String, _ name: String, language: String? = nil) throws -> ModelFile {
        let bytes = try require(Self.contents["/" + name])
        return ModelFile(
            role: role, name: name, url: server.base + name, size: Int64(bytes.count),
            digest: try TestVoice.digest(bytes), isOptional: language != nil, language: language)
    }

    private func voice(_ id: String, _ language: String, hasLists: Bool = true) throws -> Voice {
        let lists = try [file("list", "us", language: "en-US"), file("list-gb", "gb", language: "en-GB")]
        let model = TestVoice.model("shared", [try file("model", "big")] + (hasLists ? lists : []))
        let any = TestVoice.voice(id, [try file("style", "\(id).style")])
        return Voice(
            id: id, engine: "test", name: id, language: language, accent: nil, gender: nil, grade: nil, quality: nil,
            license: nil, cardURL: nil, speakers: [], aliases: [], gain: 0, cost: nil, starter: nil,
            isRecommended: false, unsupported: nil, model: model.used(by: language), files: any.files,
            alternative: [], folder: id)
    }

    private func roles(_ id: String) throws -> [String] {
        try require(store.installedVoice(id: id)).modelFiles.map(\.role)
    }

    private func downloads(_ path: String) -> Int { server.requests.filter { $0.path == path }.count }

    @Test("Optional files are downloaded along with a voice in their language, even if the model is already installed")
    func languages() async throws {
        let (american, british) = (try voice("a", "en-US"), try voice("b", "en-GB"))
        #expect(american.downloadSize == 55_000 && american.roles == ["model", "list", "style"])
        try await store.pull([american])
        #expect(try roles("a") == ["model", "list"])
        try await store.pull([british])
        #expect(try roles("b") == ["model", "list", "list-gb"])
        #expect(downloads("/big") == 1 && downloads("/us") == 1 && downloads("/gb") == 1)
    }

    @Test("Optional files for two languages are downloaded together")
    func together() async throws {
        try await store.pull([voice("a", "en-US"), voice("b", "en-GB")])
        #expect(try roles("a") == ["model", "list", "list-gb"])
        #expect(downloads("/big") == 1)
    }

    @Test("Optional files for other languages are not downloaded")
    func others() async throws {
        try await store.pull([voice("a", "fr")])
        #expect(try roles("a") == ["model"])
        #expect(server.requests.count == 2)
    }

    @Test("Optional files that are new in the registry are added without downloading the model")
    func later() async throws {
        try await store.pull([voice("a", "en-US", hasLists: false)])
        #expect(try roles("a") == ["model"])
        let now = try voice("a", "en-US")
        #expect(store.state(of: now) == .ready && store.missingBytes(of: now) == 0)
        try await store.pull([now])
        #expect(try roles("a") == ["model", "list"])
        #expect(downloads("/big") == 1)
    }

    /// An example is Kokoro's word lists, which were in an earlier registry.
    @Test("Optional files that are no longer in the registry are kept, and the voice is complete")
    func former() async throws {
        try await store.pull([voice("a", "en-US")])
        let now = try voice("a", "en-US", hasLists: false)
        #expect(store.state(of: now) == .ready && store.missingBytes(of: now) == 0)
        #expect(try roles("a") == ["model", "list"])
        try await store.pull([now])
        #expect(try await store.verify().isEmpty)
        #expect(store.state(of: now) == .ready)
        #expect(downloads("/big") == 1 && downloads("/us") == 1)
    }

    @Test("The download succeeds even if optional files are missing")
    func refused() async throws {
        let without = try OptionalFileTests(missing: ["/us"])
        let voice = try without.voice("a", "en-US")
        try await without.store.pull([voice])
        #expect(without.store.state(of: voice) == .ready)
        #expect(try without.roles("a") == ["model"])
    }

    @Test(
        "Damaged or missing optional files are not passed to the engine, and a pull repairs them",
        arguments: [false, true])
    func damaged(isRemoved: Bool) async throws {
        let voice = try voice("a", "en-US")
        try await store.pull([voice])
        let right = Tree(folder.path)
        let name = try require(right.entries.keys.first { $0.hasSuffix("/us") })
        let path = folder.path + "/" + name
        if isRemoved {
            try FileManager.default.removeItem(atPath: path)
        } else {
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        }
        #expect(store.state(of: voice) == .ready)
        #expect(try roles("a") == ["model"])
        let damages = try await store.verify()
        #expect(damages.map(\.path) == (isRemoved ? [] : [path]))
        #expect(try await store.verify().isEmpty)
        #expect(store.state(of: voice) == .ready)
        try await store.pull([voice])
        #expect(try roles("a") == ["model", "list"])
        #expect(downloads("/big") == 1)
    }

    @Test("Adding optional files or changing an entry does not change a voice's installation date")
    func firstInstalled() async throws {
        try await store.pull([try voice("a", "en-US", hasLists: false)])
        let first = try require(store.installedVoice(id: "a"))
        let renamed = Voice(
            id: "a", engine: "test", name: "Anna", language: "en-US", accent: nil, gender: nil, grade: nil,
            quality: nil,
            license: nil, cardURL: nil, speakers: [], aliases: [], gain: 0, cost: nil, starter: nil,
            isRecommended: false, unsupported: nil, model: nil,
            files: [try file("style", "a.style")], alternative: [], folder: "a")
        try await store.pull([renamed.using(try require(voice("a", "en-US").model))])
        let second = try require(store.installedVoice(id: "a"))
        #expect(second.voice.name == "Anna" && second.installed > first.installed)
        #expect(first.voice.installed == first.installed && second.voice.installed == first.installed)
    }
}
