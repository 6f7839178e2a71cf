import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Favorites and hidden voices", .ownThreads)
struct FavoriteTests {
    private func rows(_ result: ChildResult) -> [String] {
        result.lines.dropFirst().map { line in
            line.split(separator: " ").prefix(2).joined(separator: " ")
        }
    }

    /// The IDs of all voices in the JSON, or of those for which a flag is true.
    private func ids(_ objects: [[String: Any]], with flag: String? = nil) -> [String] {
        let wanted = objects.filter { object in flag.map { object[$0] as? Bool == true } ?? true }
        return wanted.compactMap { $0["id"] as? String }
    }

    private func list(_ fixture: RegistryFixture, _ words: String...) throws -> ChildResult {
        try fixture.home.run(["voices", "--engine", "tone"] + words)
    }

    @Test("Favorites come first and are marked, and hidden voices are omitted, with a hint that says so")
    func lists() throws {
        let fixture = try RegistryFixture()
        let before = try list(fixture, "--all")
        #expect(!before.errors.contains("marks"))
        let favorite = try fixture.home.run("voices", "favorite", "buzz", "Brook")
        #expect(favorite.code == 0)
        #expect(
            favorite.errors
                == "Buzz is now a favorite and is listed first.\nBrook is now a favorite and is listed first.\n"
        )
        #expect(try fixture.home.run("voices", "favorite", "Buzz").errors == "Buzz was already a favorite.\n")
        let hide = try fixture.home.run("voices", "hide", "Low")
        #expect(hide.errors == "Low is now hidden from lists. You can still use it by name.\n")
        #expect(try fixture.configured("favorites").split(separator: "\n").count == 4)

        let short = try list(fixture)
        #expect(rows(short).prefix(2) == ["+ Brook", "+ Buzz"], "\(short.text)")
        #expect(!short.text.contains("Low"))
        #expect(short.errors.hasPrefix("+ marks a favorite.\n"), "\(short.errors)")
        #expect(
            short.errors.contains("One voice is hidden. To see it, type: synthhost voices --all --engine tone\n"))
        let all = try list(fixture, "--all")
        #expect(rows(all).contains("- Low") && all.lines.count == before.lines.count)
        #expect(all.errors == "+ marks a favorite, - marks a hidden voice.\n")

        let json = try parseList(try list(fixture, "--all", "--json").text)
        #expect(
            Set(json.filter { $0["favorite"] as? Bool == true }.map { $0["id"] as? String }) == ["brook_1", "buzz"])
        #expect(json.filter { $0["hidden"] as? Bool == true }.map { $0["id"] as? String } == ["low"])
        #expect(try parseList(try list(fixture, "--json").text).allSatisfy { $0["id"] as? String != "low" })
        let named = try fixture.home.run("voices", "Low")
        #expect(named.code == 0 && named.lines.contains("  listed    no, hidden"))
        #expect(try fixture.home.run("voices", "Buzz").lines.contains("  listed    first, as a favorite"))

        #expect(try fixture.home.run("voices", "unfavorite", "BUZZ", "Brook").code == 0)
        #expect(try fixture.home.run("voices", "unhide", "low").errors == "Low is visible in lists again.\n")
        #expect(try fixture.home.run("voices", "unhide", "low").errors == "Low was not hidden.\n")
        #expect(try list(fixture, "--all").text == before.text)
    }

    @Test("A voice can be a favorite or hidden, but not both")
    func other() throws {
        let home = try UserHome()
        #expect(try home.run("voices", "hide", "Sine").code == 0)
        #expect(try home.run("voices", "favorite", "Sine").code == 0)
        #expect(try home.run("config", "get", "hidden").text == "[]\n")
        #expect(try home.run("voices", "hide", "tone/sine").code == 0)
        #expect(try home.run("config", "get", "favorites").text == "[]\n")
        #expect(try home.run("config", "get", "hidden").text == "[\n  \"tone/sine\"\n]\n")
    }

    @Test("In the list of downloads, favorites come first, and hidden voices are omitted")
    func downloads() throws {
        let fixture = try RegistryFixture()
        #expect(try fixture.home.run("models", "pull", "Nature", "Brook", "Left").code == 0)
        #expect(try fixture.home.run("voices", "favorite", "Left").code == 0)
        #expect(try fixture.home.run("voices", "hide", "Nature").code == 0)
        let list = try fixture.home.run("models", "list")
        #expect(list.lines.count == 3, "\(list.text)")
        #expect(list.lines[1].hasPrefix("+") && list.lines[1].contains("Left") && list.lines[2].contains("Brook"))
        #expect(list.errors.contains("+ marks a favorite.\n"))
        #expect(list.errors.contains("One voice is hidden. To see it, type: synthhost models list --all\n"))
        let json = try parseList(try fixture.home.run("models", "list", "--all", "--json").text)
        #expect(json.first?["id"] as? String == "left_1" && json.first?["favorite"] as? Bool == true)
        #expect(ids(json, with: "hidden") == ["nature_1"])
    }

    @Test("Hidden voices speak if selected by name but are not suggested")
    func hidden() throws {
        let home = try UserHome()
        #expect(try home.run("speak", "-v", "Lov", "a", "-o", home.file("a.wav")).errors.contains("\"Low\""))
        let loud = try home.run("speak", "-v", "Low", "aaaa", "-o", home.file("a.wav"))
        #expect(loud.code == 0)
        #expect(try home.run("voices", "hide", "Low").code == 0)
        #expect(try home.run("speak", "-v", "Low", "aaaa", "-o", home.file("b.wav")).code == 0)
        #expect(try home.data("a.wav") == home.data("b.wav"))
        for words in [
            ["speak", "-v", "Lov", "a", "-o", home.file("c.wav")], ["voices", "Lov"], ["voices", "choose", "Lov"],
            ["config", "set", "voices.tone", "Lov"], ["config", "set", "profiles.Lov.rate", "1"],
            ["speak", "-v", "Sine+Lov", "a", "-o", home.file("c.wav")],
        ] {
            let result = try home.run(words)
            #expect(result.code == 69 && !result.errors.contains("\"Low\""), "\(result.errors)")
        }
        #expect(try home.run("voices", "unhide", "Lov").errors.contains("\"Low\""))
        #expect(try home.run("help", "--complete", "--", "voices", "unhide", "").text == "Low\n")
        #expect(!(try home.run("help", "--complete", "--", "speak", "-v", "").lines.contains("Low")))
    }

    @Test("If all voices are hidden, the list is empty, and a message explains how to show them")
    func allHidden() throws {
        let home = try UserHome()
        #expect(try home.run("voices", "hide", "-q", "Sine", "Low", "Buzz").errors == "")
        let list = try home.run("voices", "--engine", "tone")
        #expect(list.code == 69)
        #expect(
            list.errors == """
                synthhost: All matching voices are hidden.
                `synthhost voices --all --engine tone` lists all known voices.

                """)
        #expect(try home.run("voices", "--engine", "tone", "--json").text == "[]\n")
    }

    @Test("Setup does not offer hidden voices")
    func setup() throws {
        let fixture = try RegistryFixture(devices: .silent)
        #expect(try fixture.home.run("voices", "hide", "Nature").code == 0)
        #expect(try fixture.run("setup", "--yes").code == 0)
        #expect(try fixture.configured("voices.tone") == "Brook")
    }

    @Test("If one of the names is unknown, an error is reported, and no voice is changed")
    func refused() throws {
        let home = try UserHome()
        let result = try home.run("voices", "favorite", "Sine", "Bzuz")
        #expect(result.code == 69 && result.errors.contains("No voice is called \"Bzuz\". Did you mean \"Buzz\""))
        #expect(!home.exists("config/synthhost/config.json"))
        #expect(try home.run("voices", "hide").code == 64)
        #expect(try home.run("config", "set", "hidden", "Sine, Nobody").code == 69)
        #expect(!home.exists("config/synthhost/config.json"))
        #expect(try home.run("config", "set", "hidden", "Sine, low, tone/sine").code == 0)
        #expect(try home.run("config", "get", "hidden").text == "[\n  \"tone/sine\",\n  \"tone/low\"\n]\n")
    }
}
