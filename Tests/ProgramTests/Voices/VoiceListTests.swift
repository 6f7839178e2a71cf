import CommandSupport
import Foundation
import SynthCatalogue
import Testing
import TestSupport

@Suite("The voice list", .ownThreads)
struct VoiceListTests {
    /// A home folder whose registry has a Tone voice for each name and language.
    private func home(_ voices: [(name: String, language: String, extra: [String: Any])]) throws -> UserHome {
        let home = try UserHome()
        let file: [String: Any] = [
            "role": "pitch", "url": "https://example.org/x.pitch", "size": 1_000_000,
            "sha256": String(repeating: "a", count: 64),
        ]
        let entries = voices.map { voice in
            voice.extra.merging([
                "id": voice.name.lowercased(), "engine": "tone", "name": voice.name, "language": voice.language,
                "files": [file],
            ]) { $1 }
        }
        try home.write(
            Array(try JSONSerialization.data(withJSONObject: ["voices": entries])), to: "data/synthhost/models.json")
        return home
    }

    private func names(_ result: ChildResult) -> [String] {
        result.lines.dropFirst().compactMap {
            $0.drop { "* ".contains($0) }.split(separator: " ").first.map(String.init)
        }
    }

    @Test("A message, separate from the data, states which voices the list omits and how to show them")
    func footer() throws {
        let hidden = (1...3).map { (name: "Hidden\($0)", language: "de-DE", extra: [String: Any]()) }
        let home = try home(hidden)
        let short = try home.run("voices", "--engine", "tone", "--language", "de")
        #expect(short.code == 69)
        #expect(
            short.errors == """
                synthhost: No matching voices are downloaded.
                `synthhost voices --all --language de --engine tone` lists all known voices.

                """)
        let tone = try home.run("voices", "--engine", "tone")
        #expect(names(tone) == ["Sine", "Low", "Buzz"])
        #expect(
            tone.errors
                == "3 more voices can be downloaded. To see them, type: synthhost voices --all --engine tone\n")
        let all = try home.run("voices", "--all", "--engine", "tone")
        #expect(names(all).count == 6 && all.errors == "")
        let json = try home.run("voices", "--engine", "tone", "--json")
        #expect(try parseList(json.text).count == 3 && json.errors == "")
    }

    @Test("The list begins with the default voice")
    func chosen() throws {
        let home = try home([(name: "Heart", language: "en-US", extra: ["starter": 1, "recommended": true])])
        #expect(try home.run("config", "set", "voices.espeak-ng", "cy").code == 0)
        let list = try home.run("voices")
        #expect(list.lines.dropFirst().first?.hasPrefix("*") == true)
        #expect(names(list).first == "Welsh")
    }

    @Test("Voices in the user's language come next, downloadable ones before built-in ones")
    func language() throws {
        let home = try home([
            (name: "Heart", language: "en-US", extra: ["starter": 1, "recommended": true]),
            (name: "Kerstin", language: "de-DE", extra: ["quality": "low"]),
        ])
        let german = try home.run("voices", adding: ["LANG": "de_DE.UTF-8"])
        #expect(names(german).prefix(3) == ["German", "Kerstin", "Heart"])
        #expect(names(try home.run("voices", "--language", "de")) == ["Kerstin", "German"])
        #expect(names(try home.run("voices")).prefix(2) == ["English", "Heart"])
    }

    @Test("Names remain distinguishable on a narrow terminal")
    func narrow() throws {
        let home = try home([
            (name: "Heart", language: "en-US", extra: ["starter": 1, "quality": "high", "gender": "female"])
        ])
        let screen = try Screen(columns: 80)
        let process = try home.start(["voices", "--language", "en"], output: .terminal(screen.terminal))
        #expect(try screen.finish(process).code == 0)
        let rows = screen.drawn.drop { !$0.contains("LANGUAGE") }.filter { $0.contains("English (") }
        #expect(rows.count > 5, "\(screen.text)")
        #expect(rows.allSatisfy { $0.count <= 80 })
        #expect(Set(rows.map { $0.prefix(22) }).count == rows.count, "\(screen.text)")
        #expect(rows.contains { $0.contains("English (Scotland)") })
    }

    @Test("A voice's details include its speakers and their numbers")
    func details() throws {
        let home = try home([
            (name: "Choir", language: "en-GB", extra: ["speakers": ["anna", "ben", "cleo"], "quality": "medium"])
        ])
        let choir = try home.run("voices", "Choir")
        #expect(choir.code == 0 && choir.errors == "")
        #expect(choir.lines.first == "Choir")
        #expect(choir.lines.contains("  speakers  0 anna, 1 ben, 2 cleo"))
        #expect(choir.lines.contains("  state     not downloaded, 1.0 MB"))
        #expect(choir.text.contains("synthhost speak -v Choir --speaker cleo \"Hello\""))
        let json = try parseList(try home.run("voices", "choir", "--json").text)
        #expect(json.count == 1 && json.first?["speakers"] as? [String] == ["anna", "ben", "cleo"])
        let unknown = try home.run("voices", "Coir")
        #expect(unknown.code == 69 && unknown.errors.contains("Did you mean \"Choir\""))
    }

    @Test("The engine list includes the number of voices that can be downloaded")
    func engines() throws {
        let home = try home((1...3).map { (name: "Voice\($0)", language: "de", extra: [:]) })
        #expect(try home.run("engines", "list").text.contains("Apache-2.0, 3 voices, 3 voices to download\n"))
    }
}
