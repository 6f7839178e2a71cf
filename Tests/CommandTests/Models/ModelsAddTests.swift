import CommandSupport
import Foundation
import SynthEngineWire
import SynthHost
import Testing
import TestSupport

@testable import SynthCatalogue
@testable import synthhost_cli
@testable import SynthUserVoices

@Suite("models add", .ownThreads)
struct ModelsAddTests {
    @Test("A file becomes a voice that speaks")
    func file() throws {
        let home = try UserHome()
        try home.write("440\n", to: "en_GB-my_bell.pitch")
        let added = try home.run("models", "add", home.file("en_GB-my_bell.pitch"))
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.errors.contains("My bell is ready."))
        let spoken = try home.run("speak", "-v", "my bell", "hello", "-o", home.file("a.wav"))
        #expect(spoken.code == 0, "\(spoken.errors)")
        #expect(try home.run("models", "list").text.contains("en-GB"))
        #expect(try home.run("models", "prune").errors.contains("All files are needed."))
        #expect(try home.run("models", "remove", "My bell").code == 0)
    }

    @Test("A folder becomes a voice with the given name, ID and language")
    func folder() throws {
        let home = try UserHome()
        try home.write("440\n", to: "mine/pitch.txt")
        let added = try home.run(
            "models", "add", home.file("mine"), "--name", "Bell", "--id", "bell-1", "--language", "de", "--engine",
            "tone")
        #expect(added.code == 0, "\(added.errors)")
        let listed = try home.run("models", "list", "--ids").text
        #expect(listed.contains("Bell") && listed.contains("bell-1") && listed.contains("de"))
    }

    @Test("Missing files, languages, engines and roles are reported")
    func mistakes() throws {
        let home = try UserHome()
        try home.write("440\n", to: "bell.pitch")
        #expect(try home.run("models", "add", home.file("none.pitch")).code == 66)
        let mute = try home.run("models", "add", home.file("bell.pitch"))
        #expect(mute.code == 64)
        #expect(mute.errors.contains("--language"))
        let strange = try home.run("models", "add", home.file("bell.pitch"), "--engine", "organ")
        #expect(strange.code == 69)
        try home.write("x", to: "empty/notes.md")
        let roleless = try home.run("models", "add", home.file("empty"), "--engine", "tone")
        #expect(roleless.code == 66)
        #expect(roleless.errors.contains("pitch"))
    }

    @Test("The ID of a registry voice is never reused")
    func ids() throws {
        let fixture = try RegistryFixture()
        try fixture.home.write("440\n", to: "brook_1.pitch")
        let added = try fixture.home.run(
            "models", "add", fixture.home.file("brook_1.pitch"), "--language", "en", "--name", "Mine")
        #expect(added.code == 0, "\(added.errors)")
        let named = try fixture.home.run(
            "models", "add", fixture.home.file("brook_1.pitch"), "--language", "en", "--name", "Mine", "--id", "brook_1"
        )
        #expect(
            named.code == 0
                && named.errors.contains(
                    "brook_1 is already the ID of a registry voice, so your voice was given the ID brook_1-own."),
            "\(named.errors)")
        #expect(try fixture.home.run("models", "pull", "Brook").code == 0)
        #expect(try fixture.home.run("models", "list", "--ids").text.contains("brook_1-own"))
    }

    @Test("Hints use a voice's shortest name, even if a voice that is not installed has the same name")
    func hints() throws {
        let fixture = try RegistryFixture()
        try fixture.home.write("440\n", to: "mine.pitch")
        let added = try fixture.home.run(
            "models", "add", fixture.home.file("mine.pitch"), "--language", "en", "--name", "Brook")
        #expect(added.errors.contains("synthhost speak -v Brook \"Hello\""), "\(added.errors)")
        #expect(try fixture.home.run("voices", "Brook").text.contains("synthhost speak -v Brook \"Hello\""))
        let spoken = try fixture.home.run(
            "speak", "-v", "Brook", "hello", "--verbose", "-o", fixture.home.file("a.wav"))
        #expect(spoken.code == 0 && spoken.errors.contains("Speaking with Brook from"), "\(spoken.errors)")
        // The other voice still has a unique name, even in the configuration.
        #expect(try fixture.home.run("voices", "brook_1").text.contains("speak -v brook_1"))
        #expect(try fixture.home.run("voices", "choose", "Brook").code == 0)
        #expect(try fixture.configured("voices.tone") == "mine")
    }

    @Test("An archive becomes a voice, whose language is taken from the archive's name")
    func archive() throws {
        let home = try UserHome()
        try home.write("440\n", to: "bell.pitch")
        let packed = try ChildProcess(
            "/usr/bin/env",
            arguments: ["tar", "-czf", home.file("de_DE-bell.tar.gz"), "-C", home.path, "bell.pitch"].map {
                Array($0.utf8)
            }, environment: home.environment
        ).finish()
        try #require(packed.code == 0)
        let added = try home.run("models", "add", home.file("de_DE-bell.tar.gz"))
        #expect(added.code == 0, "\(added.errors)")
        #expect(try home.run("speak", "-v", "Bell", "hello", "-o", home.file("a.wav")).code == 0)
        #expect(try home.run("models", "list").text.contains("de-DE"))
    }

    @Test("The language, name, speakers and roles are read from the configuration file next to the model")
    func guess() throws {
        let home = try UserHome()
        try home.write("weights", to: "v/en_GB-alba-medium.onnx")
        try home.write(
            #"{"dataset":"alba","language":{"code":"en_GB"},"speaker_id_map":{"low":1,"high":0}}"#,
            to: "v/en_GB-alba-medium.onnx.json")
        try home.write("weights", to: "v/de_DE-other.onnx")
        func role(_ name: String) -> RoleDescription {
            RoleDescription(name: name, isOfVoice: false, isOptional: false, isFolder: false)
        }
        let engine = SpeechEngine(
            EngineDescription(
                id: "e", name: "E", version: "1", license: "MIT", roles: [role("model"), role("config")]))
        let hints = [
            "e": EngineHints(
                endings: ["model": ".onnx", "config": ".onnx.json"],
                description: .init(
                    name: ["dataset"], language: [["none"], ["language", "code"]], speakers: ["speaker_id_map"]))
        ]
        let files = OwnFiles(home.file("v/en_GB-alba-medium.onnx"), hints)
        #expect(files.roles(of: engine, byNameOnly: true) == [".onnx": "model", ".onnx.json": "config"])
        #expect(files.id == "en_GB-alba-medium")
        let guess = files.guess(for: "e")
        #expect(guess.name == "Alba")
        #expect(guess.language == "en-GB")
        #expect(guess.speakers == ["high", "low"])
        // For an engine that is not in any registry, the naming conventions of other engines apply.
        let stranger = SpeechEngine(
            EngineDescription(id: "s", name: "S", version: "1", license: "MIT", roles: [role("model")]))
        #expect(files.roles(of: stranger, byNameOnly: true) == [".onnx": "model"])
        let unhinted = OwnFiles(home.file("v/en_GB-alba-medium.onnx"), [:])
        #expect(unhinted.roles(of: engine, byNameOnly: true) == nil)
        #expect(unhinted.guess(for: "e").speakers.isEmpty)
        #expect(OwnFiles(home.file("v/de_DE-other.onnx"), hints).roles(of: engine, byNameOnly: true) == nil)
    }

    @Test(
        "Languages are recognized in all notations used in file names",
        arguments: [("en_GB", "en-GB"), ("en-gb", "en-GB"), ("de", "de"), ("my", "my"), ("bell", nil), ("x1", nil)]
            as [(String, String?)])
    func language(text: String, tag: String?) {
        #expect(LanguageCode(text)?.tag == tag)
    }
}
