import CommandSupport
import Foundation
import Testing
import TestSupport

@testable import SynthCommandSyntax
@testable import synthhost_cli

@Suite("models registry", .ownThreads)
struct ModelsRegistryTests {
    private static let own = "data/synthhost/models.json"

    private func registry(_ home: UserHome, adding variables: [String: String?] = [:]) throws -> [String: Any] {
        let shown = try home.run(["models", "registry", "--json"], adding: variables)
        #expect(shown.code == 0, "\(shown.errors)")
        return try #require(JSONSerialization.jsonObject(with: Data(shown.output)) as? [String: Any])
    }

    @Test("The output shows what each registry adds, and which entries the user's registry overrides")
    func parts() throws {
        let home = try UserHome()
        let alone = try registry(home)
        let shipped = try #require((alone["registries"] as? [[String: Any]])?.first)
        #expect((shipped["voices"] as? Int ?? 0) > 100)
        #expect(alone["ownPath"] as? String == home.file(Self.own))
        let text = try home.run("models", "registry").text
        let origin = try #require(shipped["origin"] as? String)
        #expect(text.contains("\n\(origin) "), "\(text)")
        #expect(text.contains("\n\(origin) has URLs that refer to a branch: hibari, hibari-package. "))
        #expect(text.contains("Your own registry does not exist: \(home.file(Self.own))"))
        #expect(text.contains("Mirror: none\nOffline: no\nProxy: none\n"))

        try home.write(
            """
            {"sources": {"piper": {"url": "https://voices.example.org/piper/"}},
             "voices": [{"id": "af_heart", "engine": "kokoro", "name": "Heart", "language": "en-US",
               "model": "kokoro-82m"}]}
            """, to: Self.own)
        let both = try #require(try registry(home)["registries"] as? [[String: Any]])
        #expect(both.count == 2)
        #expect(both.last?["origin"] as? String == home.file(Self.own))
        #expect(both.last?["overrides"] as? [String] == ["source piper", "voice af_heart"])
        #expect(try home.run("models", "registry").text.contains("overrides: source piper, voice af_heart\n"))
    }

    @Test("The mirror, the proxy and the offline setting are shown, without passwords")
    func network() throws {
        let home = try UserHome()
        let shown = try registry(
            home,
            adding: [
                "SYNTHHOST_MIRROR": "https://me:secret@mirror.example.org/v", "SYNTHHOST_OFFLINE": "1",
                "https_proxy": "http://me:secret@proxy.example.org:3128",
            ])
        #expect(shown["mirror"] as? String == "https://…@mirror.example.org/v")
        #expect(shown["offline"] as? Bool == true)
        #expect(shown["proxy"] as? [String: String] == ["https_proxy": "http://…@proxy.example.org:3128"])
    }

    @Test("The example registry in the help is valid, and voices can be downloaded from a similar one")
    func example() throws {
        let home = try UserHome()
        let help = try home.run("models", "registry", "--help").text
        #expect(help.contains(RegistryGuide.example))
        #expect(help.contains("SYNTHHOST_MIRROR"))
        try home.write(RegistryGuide.example, to: Self.own)
        let parts = try #require(try registry(home)["registries"] as? [[String: Any]])
        #expect(parts.last?["sources"] as? Int == 1 && parts.last?["voices"] as? Int == 1)

        // The same example, but with existing files and an engine that needs no other library.
        let files = ["model": RegistryFixture.pitch(330), "config": RegistryFixture.pitch(260, size: 200)]
        var text = RegistryGuide.example.replacing("\"piper\"", with: "\"tone\"")
        text.replace("\"role\": \"model\"", with: "\"role\": \"pitch\"")
        for (size, digest, role) in [("63201294", "b11c2e6a", "model"), ("4885", "0c5e97a1", "config")] {
            let bytes = try #require(files[role])
            text.replace("\"size\": \(size)", with: "\"size\": \(bytes.count)")
            let start = try #require(text.firstRange(of: digest)?.lowerBound)
            text.replaceSubrange(start..<text.index(start, offsetBy: 64), with: try Checksum.sha256(bytes))
        }
        try home.write(text, to: Self.own)
        let folder = "/voices.example.org/piper/en_GB-mine-medium.onnx"
        let mirror = try LoopbackServer.good([
            folder: RegistryFixture.pitch(330), folder + ".json": RegistryFixture.pitch(260, size: 200),
        ])
        let pulled = try home.run(["models", "pull", "Mine"], adding: ["SYNTHHOST_MIRROR": mirror.base])
        #expect(pulled.code == 0, "\(pulled.errors)")
        #expect(Set(mirror.requests.map(\.path)) == [folder, folder + ".json"])
    }

    @Test("The doctor reports an invalid registry with its line")
    func doctor() throws {
        let home = try UserHome()
        #expect(try home.run("doctor").text.contains("ok    registry: "))
        try home.write("{\"voices\": [\n  {\"id\": \"a b\"}\n]}\n", to: Self.own)
        let text = try home.run("doctor").text
        #expect(text.contains("note  registry: \(home.file(Self.own)), line 2: "), "\(text)")
        #expect(text.contains("Correct the file"))
        let listed = try home.run("voices").errors
        #expect(listed.contains("line 2: ") && listed.contains("\nCorrect the file"), "\(listed)")
    }
}
