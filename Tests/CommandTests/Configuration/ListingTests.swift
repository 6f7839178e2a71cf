import CommandSupport
import Foundation
import Testing
import TestSupport

@testable import SynthCommandSyntax
@testable import synthhost_cli

@Suite("Lists of installed components", .ownThreads)
struct ListingTests {
    @Test("Voices are listed by language, engine and ID, and the selected voice is marked")
    func voices() throws {
        let home = try UserHome()
        let all = try home.run("voices")
        #expect(all.code == 0 && all.errors == "To see the speakers of a voice, type: synthhost voices VOICE\n")
        #expect(all.lines.count > 100 && all.text.contains("Sine") && all.text.contains("Afrikaans"))
        #expect(all.lines.first?.contains("VOICE") == true && all.lines.first?.contains(" ID ") == false)
        #expect(all.lines.filter { $0.hasPrefix("*") }.count == 1)

        let english = try home.run("voices", "--language", "en")
        #expect(english.lines.count > 5 && english.lines.count < 30)
        #expect(english.lines.dropFirst().allSatisfy { $0.contains(" en") })

        let tone = try home.run("voices", "--engine", "tone", "--ids")
        #expect(tone.lines.count == 4)
        // The engine's default voice is marked.
        #expect(
            tone.lines.dropFirst().map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "* Sine", "Low low", "Buzz buzz",
            ])
        #expect(tone.lines.first?.contains(" ID ") == true && tone.lines[1].contains(" sine "))

        let objects = try parseList(try home.run("voices", "--json").text)
        #expect(objects.count == all.lines.count - 1)
        #expect(objects.filter { $0["chosen"] as? Bool == true }.count == 1)
        #expect(objects.allSatisfy { $0["id"] is String && $0["language"] is String && $0["engine"] is String })
    }

    @Test("Engines, including invalid files, are listed as text and as JSON")
    func engines() throws {
        let home = try UserHome()
        try home.write("no engine at all", to: "data/synthhost/plugins/bad.so")
        let list = try home.run("engines", "list")
        #expect(list.code == 0)
        #expect(list.text.contains("* espeak-ng ") && list.text.contains("  tone ") && list.text.contains("! "))
        #expect(
            list.text.contains("- piper  not installed; needed by 167 downloadable voices\n    It is installed if ONNX")
        )
        let objects = try parseList(try home.run("engines", "list", "--json").text)
        let verdicts = objects.map { "\($0["id"] as? String ?? "-") \($0["verdict"] as? String ?? "-")" }
        #expect(verdicts.contains("espeak-ng usable") && verdicts.contains("tone usable"))
        #expect(verdicts.contains("- unusable"))
        #expect(try home.run("engines", "list", "--rescan").text == list.text)
    }

    @Test("The configuration can be set, read, shown and unset")
    func configuration() throws {
        let home = try UserHome()
        let file = home.file("config/synthhost/config.json")
        #expect(try home.run("config", "path").text == "\(file)\n")
        #expect(try home.run("config", "get", "rate").text == "1\n")
        #expect(try home.run("config", "get", "engine").text == "")
        let set = try home.run("config", "set", "rate", "1.5")
        #expect(set.code == 0 && set.output == [] && set.errors == "")
        #expect(try home.run("config", "get", "rate").text == "1.5\n")
        #expect(try home.run("config", "set", "voices.tone", "Low").code == 0)
        let shown = try home.run("config", "show").lines.first { $0.hasPrefix("rate ") }
        #expect(shown?.split(separator: " ").prefix(3) == ["rate", "1.5", "yes"])
        #expect(try parse(String(decoding: home.data("config/synthhost/config.json"), as: UTF8.self)).count == 2)
        #expect(try home.run("config", "unset", "rate").code == 0)
        #expect(try home.run("config", "get", "rate").text == "1\n")
        #expect(try home.run("config", "unset", "rate").errors == "rate was not set.\n")
        #expect(try home.run("config", "path", "--config", "/some/where.json").text == "/some/where.json\n")
        #expect(try home.run("config", "path", adding: ["SYNTHHOST_CONFIG": "/else.json"]).text == "/else.json\n")
    }

    @Test("The doctor reports whether speech works")
    func doctor() throws {
        let home = try UserHome()
        let bare = try home.run("doctor")
        #expect(bare.code == 1 && bare.errors == "")
        #expect(
            bare.text.contains("BAD   sound: ") && bare.text.hasSuffix("`synthhost speak` works only with -o FILE.\n"))
        let sound = try home.run("doctor", devices: .silent)
        #expect(sound.code == 0)
        #expect(sound.text.contains("ok    voice: ") && sound.text.hasSuffix("`synthhost speak` works.\n"))
        let states = try parseList(try home.run("doctor", "--json", devices: .silent).text).map {
            $0["state"] as? String
        }
        #expect(states.allSatisfy { $0 == "good" })
        let engine = try home.run("doctor", adding: ["SYNTHHOST_ENGINE": "espek"], devices: .silent)
        #expect(engine.code == 1)
        #expect(engine.text.contains("BAD   voice: No engine is called \"espek\". Did you mean \"espeak-ng\"?"))
    }

    @Test("Every command's help starts with examples", arguments: CommandName.allCases)
    func help(command: CommandName) throws {
        let home = try UserHome()
        let words = command.rawValue.split(separator: " ").map(String.init)
        let asked = try home.run(words + ["--help"])
        #expect(asked.code == 0 && asked.errors == "")
        let sections = asked.text.components(separatedBy: "\n\n")
        #expect(sections.first?.hasPrefix("synthhost \(command.rawValue): ") == true)
        #expect(
            sections[1].hasPrefix("Examples:\n  synthhost \(command.rawValue)")
                || sections[1].contains("synthhost \(command.rawValue)"))
        #expect(try home.run(["help"] + words).text == asked.text)
    }

    @Test("Version and help work without any other component")
    func bare() throws {
        let home = try UserHome()
        let version = try home.runProcess("--version")
        #expect(version.code == 0 && version.text.hasPrefix("synthhost ") && version.lines.count == 1)
        let help = try home.runProcess()
        #expect(help.code == 0 && help.text.contains("synthhost speak \"Hello, world\""))
    }

    @Test("Speech works with a read-only home folder and without any home folder")
    func homeless() throws {
        let home = try UserHome()
        let gone: [String: String?] = [
            "HOME": nil, "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil, "XDG_CACHE_HOME": home.file("asound.conf/k"),
            "XDG_STATE_HOME": nil,
        ]
        let unset = try home.runProcess("speak", "-e", "tone", "Hi", "-o", home.file("x.wav"), adding: gone)
        #expect(unset.code == 0, "\(unset.errors)")
        let blocked = Dictionary(
            uniqueKeysWithValues: ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"].map {
                ($0, String?.some("/proc/nowhere"))
            })
        let result = try home.runProcess("speak", "-e", "tone", "Hi", "-o", home.file("y.wav"), adding: blocked)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try home.data("x.wav") == home.data("y.wav"))
    }
}
