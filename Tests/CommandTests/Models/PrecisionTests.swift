import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Models in several precisions", .ownThreads)
struct PrecisionTests {
    private func precisions(_ fixture: RegistryFixture) throws -> [String: String] {
        let listed = try fixture.home.run("models", "list", "--json")
        let voices = try #require(JSONSerialization.jsonObject(with: Data(listed.output)) as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: voices.compactMap { voice in
                (voice["name"] as? String).flatMap { name in (voice["precision"] as? String).map { (name, $0) } }
            })
    }

    @Test("A model is downloaded in the requested precision, which is also used for voices added later")
    func pull() throws {
        let fixture = try RegistryFixture()
        let pulled = try fixture.home.run("models", "pull", "Left", "--precision", "int8")
        #expect(pulled.code == 0, "\(pulled.errors)")
        #expect(fixture.asked == ["/small.pitch"])
        #expect(try precisions(fixture) == ["Left": "int8"])
        #expect(try fixture.home.run("models", "list").lines.first { $0.contains("Left") }?.contains("int8") == true)
        #expect(try fixture.home.run("models", "pull", "Right").code == 0)
        #expect(fixture.asked == ["/small.pitch"])
        #expect(try precisions(fixture) == ["Left": "int8", "Right": "int8"])
        #expect(try fixture.home.run("speak", "-v", "Right", "hi", "-o", fixture.home.file("a.wav")).code == 0)
    }

    @Test("Changing the precision affects all installed voices, and the old model is no longer used")
    func change() throws {
        let fixture = try RegistryFixture()
        #expect(try fixture.home.run("models", "pull", "Left", "Right").code == 0)
        #expect(try precisions(fixture) == ["Left": "fp32", "Right": "fp32"])
        let changed = try fixture.home.run("models", "pull", "Left", "--precision", "int8")
        #expect(changed.code == 0, "\(changed.errors)")
        #expect(
            changed.errors.contains(
                "The fp32 model (200 kB) is no longer needed. To remove it, type: synthhost models prune"))
        #expect(fixture.asked == ["/duet.pitch", "/small.pitch"])
        #expect(try precisions(fixture) == ["Left": "int8", "Right": "int8"])
        #expect(try fixture.home.run("models", "prune").text.contains("/duet: no installed voice needs it, 200 kB"))
        let back = try fixture.home.run("models", "pull", "Right", "--precision", "fp32")
        #expect(back.code == 0, "\(back.errors)")
        #expect(try precisions(fixture) == ["Left": "fp32", "Right": "fp32"])
    }

    @Test("Setup uses the requested precision")
    func setup() throws {
        let fixture = try RegistryFixture()
        #expect(try fixture.home.run("setup", "--yes", "--precision", "int8").code == 64)
        let file = "data/synthhost/models.json"
        var registry = try #require(JSONSerialization.jsonObject(with: fixture.home.data(file)) as? [String: Any])
        registry["voices"] = (registry["voices"] as? [[String: Any]])?.map { voice in
            voice.merging(voice["name"] as? String == "Left" ? ["starter": 3] : [:]) { $1 }
        }
        try fixture.home.write(Array(try JSONSerialization.data(withJSONObject: registry)), to: file)
        // The machine has no sound card on which to play the sample.
        _ = try fixture.home.run("setup", "--yes", "--precision", "int8")
        #expect(fixture.asked == ["/small.pitch"])
        #expect(try precisions(fixture) == ["Left": "int8"])
        #expect(try fixture.configured("voices.tone") == "Left")
    }

    @Test(
        "An unknown precision is rejected, and the error lists the valid precisions",
        arguments: [("Left", "fp32 (200 kB)"), ("Nature", "only one precision")])
    func unknown(voice: String, words: String) throws {
        let fixture = try RegistryFixture()
        let refused = try fixture.home.run("models", "pull", voice, "--precision", "fp8")
        #expect(refused.code == 64)
        #expect(refused.errors.contains(words), "\(refused.errors)")
        #expect(fixture.asked.isEmpty)
    }
}
