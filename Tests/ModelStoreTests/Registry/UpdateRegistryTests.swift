import Foundation
import SynthSystem
import Testing
import TestSupport

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite(
    "Scripts/tables/update-registry",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct UpdateRegistryTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private static func run(_ arguments: [String]) async throws -> Int32 {
        let process = try Programs.start("/usr/bin/python3", [package + "/Scripts/tables/update-registry"] + arguments)
        return await Programs.wait(for: process)
    }

    private static func list(_ name: String) -> String { "\(package)/Tests/Fixtures/registry/\(name).json" }

    @Test("If there are no new lists, the script reproduces the shipped registry")
    func same() async throws {
        #expect(try await Self.run(["--check", "-o", Self.package + "/models.json"]) == 0)
    }

    @Test("The registry is generated from upstream lists and is the same on every run")
    func upstream() async throws {
        let folder = try TemporaryFolder()
        let output = folder.path + "/models.json"
        let lists = [
            "--piper", Self.list("piper"), "--piper-tree", Self.list("tree"), "--archives", Self.list("archives"),
            "--kokoro-voices", Self.list("kokoro-voices"), "--kokoro-files", Self.list("kokoro-files"),
        ]
        #expect(try await Self.run(lists + ["-o", output]) == 0)
        #expect(try await Self.run(lists + ["-o", output, "--check"]) == 0)
        #expect(try await Self.run(["-o", output, "--check"]) == 0)
        let registry = try Registry(RegistryText.all(shipped: output, user: nil))
        #expect(registry.voices.map(\.id) == ["bf_tern", "en_US-tern-low", "pt_PT-tugao_male-medium"])
        let shipped = try Registry(RegistryText.all(shipped: Self.package + "/models.json", user: nil))
        #expect(try require(registry.models.first?.probe) == require(shipped.models.first?.probe))
        let tern = try require(registry.voice(id: "en_US-tern-low"))
        #expect(tern.name == "Tern" && tern.language == "en-US" && tern.accent == "American")
        #expect(tern.files.map(\.digest.algorithm) == [.sha256, .md5])
        #expect(tern.alternative.first?.archive?.roles["model"] == "vits-piper-en_US-tern-low/en_US-tern-low.onnx")
        let other = try require(registry.voice(id: "pt_PT-tugao_male-medium"))
        #expect(other.speakers == ["a", "b"] && other.gender == .male && other.alternative.isEmpty)
        #expect(other.aliases == ["pt_PT-tugão_male-medium"])
        #expect(registry.voice(id: "bf_tern")?.model?.precision == "fp32")
    }

    @Test("The script stops if two lists for the same source differ")
    func disagreement() async throws {
        let folder = try TemporaryFolder()
        let tree = try String(contentsOfFile: Self.list("tree"), encoding: .utf8)
        let changed = try folder.write(tree.replacingOccurrences(of: "5400000", with: "5400001").utf8, to: "tree.json")
        let output = folder.path + "/models.json"
        #expect(try await Self.run(["--piper", Self.list("piper"), "--piper-tree", changed, "-o", output]) != 0)
        #expect(!FileManager.default.fileExists(atPath: output))
    }
}
