import Foundation
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite final class ConfigurationFileTests {
    private let folder: String
    private var file: ConfigurationFile { ConfigurationFile(path: folder + "/synthhost/config.json") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/synthhost-configuration-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    @Test("The flag overrides the environment, which overrides the default locations")
    func place() {
        let environment = ["SYNTHHOST_CONFIG": "/e.json", "XDG_CONFIG_HOME": "/xdg", "HOME": "/home/me"]
        func path(_ names: String..., flag: String? = nil) -> String {
            ConfigurationFile.inForce(flag: flag, environment: { names.contains($0) ? environment[$0] : nil }).path
        }
        #expect(path("SYNTHHOST_CONFIG", "XDG_CONFIG_HOME", "HOME", flag: "f.json") == "f.json")
        #expect(path("SYNTHHOST_CONFIG", "XDG_CONFIG_HOME", "HOME") == "/e.json")
        #expect(path("XDG_CONFIG_HOME", "HOME") == "/xdg/synthhost/config.json")
        #expect(path("HOME") == "/home/me/.config/synthhost/config.json")
        #expect(
            ConfigurationFile.inForce(environment: { $0 == "XDG_CONFIG_HOME" ? "relative" : environment[$0 + "_"] })
                .path.hasSuffix("/.config/synthhost/config.json"))
    }

    @Test("A missing file is equivalent to the defaults unless the user specified the file")
    func missing() throws {
        #expect(try file.load() == Configuration())
        #expect(throws: SpeechError.self) {
            try ConfigurationFile(path: folder + "/none.json", mustExist: true).load()
        }
    }

    @Test("Setting a value creates a private folder and file and leaves no other files behind")
    func create() throws {
        try file.set("rate", to: "1.25")
        #expect(try file.load().rate == 1.25)
        #expect(try mode(file.path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/synthhost") == ["config.json"])
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "{\n  \"rate\": 1.25\n}\n")
    }

    @Test("The next save removes files left behind by a killed process and keeps everything else")
    func leftovers() throws {
        try file.set("rate", to: "1.25")
        let place = folder + "/synthhost/"
        let kept = [".config.json.old", ".config.json.part", ".other.json.synthhost-0.part"]
        for name in kept + [".config.json.synthhost-0.part"] {
            try "{".write(toFile: place + name, atomically: false, encoding: .utf8)
        }
        try file.set("rate", to: "1.5")
        let names = try FileManager.default.contentsOfDirectory(atPath: place)
        #expect(Set(names) == Set(kept + ["config.json"]))
    }

    @Test("If a specified file is missing, setting a key creates it")
    func createNamed() throws {
        let named = ConfigurationFile(path: folder + "/new.json", mustExist: true)
        try named.set("engine", to: "piper")
        #expect(try named.load().engine == "piper")
    }

    @Test("Saving keeps the file's own mode")
    func keepsMode() throws {
        try file.set("rate", to: "1.25")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        try file.set("rate", to: "1.5")
        #expect(try mode(file.path) == 0o644)
        #expect(try file.load().rate == 1.5)
    }

    @Test("A symbolic link is preserved, and its target is written", arguments: [true, false])
    func link(exists: Bool) throws {
        let target = folder + "/dotfiles.json"
        let link = folder + "/link.json"
        if exists { try Data("{\"pitch\": 1.5}".utf8).write(to: URL(fileURLWithPath: target)) }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "dotfiles.json")
        try ConfigurationFile(path: link).set("rate", to: "2")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "dotfiles.json")
        let configuration = try ConfigurationFile(path: target).load()
        #expect(configuration.rate == 2 && configuration.pitch == (exists ? 1.5 : 1))
    }

    @Test("A link cycle or a folder at the file's path causes an error, not a hang")
    func oddities() throws {
        let ring = folder + "/ring.json"
        try FileManager.default.createSymbolicLink(atPath: ring, withDestinationPath: "ring.json")
        #expect { try ConfigurationFile(path: ring).set("rate", to: "2") } throws: {
            [.configurationNotWritten, .configurationInvalid].contains(($0 as? SpeechError)?.code)
        }
        #expect { try ConfigurationFile(path: folder).load() } throws: {
            ($0 as? SpeechError)?.message.contains("Cannot read") ?? false
        }
        let pipe = folder + "/pipe.json"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: SpeechError.self) { try ConfigurationFile(path: pipe).load() }
    }

    @Test("A file larger than one megabyte is rejected")
    func tooLarge() throws {
        let path = folder + "/large.json"
        try Data(repeating: 0x20, count: ConfigurationFile.largestSize + 1).write(to: URL(fileURLWithPath: path))
        #expect(throws: SpeechError.self) { try ConfigurationFile(path: path).load() }
        try Data(repeating: 0x20, count: ConfigurationFile.largestSize).write(to: URL(fileURLWithPath: path))
        #expect(try ConfigurationFile(path: path).load() == Configuration())
    }

    @Test("Setting a key does not change an invalid file, and an invalid key creates no folder")
    func leavesBroken() throws {
        let path = folder + "/broken.json"
        try Data("{ \"rate\": ".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: SpeechError.self) { try ConfigurationFile(path: path).set("rate", to: "2") }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "{ \"rate\": ")
        #expect(throws: SpeechError.self) { try file.set("rat", to: "2") }
        #expect(!FileManager.default.fileExists(atPath: folder + "/synthhost"))
    }

    @Test("All concurrent changes are preserved")
    func concurrent() async throws {
        let file = file
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask { try file.set("voices.engine\(number)", to: "voice") }
            }
            try await group.waitForAll()
        }
        #expect(try file.load().voices.count == 16)
    }

    @Test("Getting or showing a key returns the effective value and whether it is set in the file")
    func show() throws {
        try file.set("rate", to: "1.25")
        try file.set("voices.piper", to: "Amy")
        #expect(try file.value(of: "rate") == "1.25")
        #expect(try file.value(of: "voices.piper") == "Amy")
        #expect(try file.value(of: "voices.none") == nil)
        #expect(try file.value(of: "engine") == nil)
        #expect(try file.value(of: "limits.cancelGraceMilliseconds") == "500")
        let entries = try file.show()
        #expect(entries.map(\.path) == ConfigurationKey.all.map(\.path))
        #expect(entries.filter(\.isSet).map(\.path) == ["voices", "rate"])
        #expect(try file.unset("rate"))
        #expect(try file.value(of: "rate") == "1")
    }

    @Test("A flag overrides the environment, which overrides the file, which overrides the default")
    func merge() throws {
        var configuration = Configuration()
        configuration.engine = "file"
        configuration.rate = 1.5
        var flags = ConfigurationOverrides()
        let environment = ["SYNTHHOST_ENGINE": "environment", "SYNTHHOST_DEVICE": ""]
        #expect(try configuration.overridden(by: flags, environment: { environment[$0] }).engine == "environment")
        flags.engine = "flag"
        let merged = try configuration.overridden(by: flags, environment: { environment[$0] })
        #expect(merged.engine == "flag" && merged.rate == 1.5 && merged.pitch == 1 && merged.device == nil)
    }

    @Test("The environment accepts the same units as the flags, and errors include the name of the variable")
    func environmentUnits() throws {
        let environment = [
            "SYNTHHOST_RATE": "150%", "SYNTHHOST_PITCH": "-12st", "SYNTHHOST_VOLUME": "+25%",
            "SYNTHHOST_LANGUAGE": "de",
        ]
        let merged = try Configuration().overridden(
            by: ConfigurationOverrides(), environment: { environment[$0] })
        #expect(merged.rate == 1.5 && merged.pitch == 0.5 && merged.volume == 1.25 && merged.language == "de")
        let error = try #require(throws: SpeechError.self) {
            try ConfigurationOverrides(environment: { $0 == "SYNTHHOST_RATE" ? "fast" : nil })
        }
        #expect(
            error == .wrongVariable("SYNTHHOST_RATE", value: "fast", expected: SpeechFactor.rate.expectation))
    }

    @Test(
        "A factor can be set in any unit and is printed as a number that survives a round trip",
        arguments: [
            ("rate", "150%", "1.5"), ("rate", "-7%", "0.93"), ("pitch", "+2st", "1.122462"), ("pitch", "-12st", "0.5"),
            ("volume", "-6dB", "0.501187"), ("volume", "0.5", "0.5"), ("volume", "+12dB", "3.981072"),
        ])
    func factors(key: String, text: String, told: String) throws {
        try file.set(key, to: text)
        #expect(try file.value(of: key) == told)
        try file.set(key, to: told)
        #expect(try file.value(of: key) == told)
    }

    @Test("A factor in the file may have a unit")
    func unitInFile() throws {
        let document = try ConfigurationDocument(Array("{\"rate\": \"150%\"}".utf8), file: "config.json")
        #expect(try document.configuration().rate == 1.5)
    }
}
