import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Scripts on the command line", .ownThreads)
struct ScriptTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    private func sentences(_ words: String...) throws -> [String] {
        let timings = home.file("times.json")
        let result = try home.run(
            ["speak"] + words + ["-v", "Sine", "-o", home.file("a.wav"), "--timings", timings])
        #expect(result.code == 0, "\(result.errors)")
        let json = try JSONSerialization.jsonObject(with: try home.data("times.json")) as? [String: Any]
        let found = json?["sentences"] as? [[String: Any]] ?? []
        return found.compactMap { sentence in
            guard let text = sentence["text"] as? String, let bytes = sentence["bytes"] as? [Int] else { return nil }
            return "\(text) \(bytes)"
        }
    }

    @Test("An option selects the script format; otherwise, the file extension does")
    func forms() throws {
        try home.write("# Title\n\nSome **bold** text.\n", to: "notes.md")
        try home.write("<speak>One <sub alias='two'>2</sub>.</speak>", to: "page.ssml")
        try home.write("Not <speak>.", to: "page.txt")
        #expect(try sentences("-f", home.file("notes.md")) == ["Title [2, 7]", "Some bold text. [9, 28]"])
        #expect(try sentences("-f", home.file("page.ssml")) == ["One two. [7, 36]"])
        #expect(try sentences("-f", home.file("page.txt"), "--verbatim") == ["Not <speak>. [0, 12]"])
        #expect(try sentences("--ssml", "<speak>A &amp; B</speak>") == ["A & B [7, 16]"])
        #expect(try sentences("--markdown", "*A* b") == ["A b [1, 5]"])
        #expect(try sentences("--tokens", "A [pause:1s] \\[b") == ["A [0, 1]", "[b [13, 16]"])
        #expect(try sentences("--markdown", "--tokens", "*A* [pause:1s]") == ["A [1, 2]"])
    }

    @Test("Words are replaced according to the user's lexicon and the one on the command line, which takes precedence")
    func lexicon() throws {
        try home.write("gif = jif\nWWW = web\n", to: "config/synthhost/lexicon.txt")
        try home.write("en: www = world\nde: gif = nein\n", to: "mine.txt")
        func said(_ words: String...) throws -> String {
            String(decoding: try home.run(["speak", "--show-text"] + words + ["-v", "Sine"]).output, as: UTF8.self)
        }
        #expect(try said("A gif on WWW.") == "A gif on WWW.\n  → A jif on web.\n")
        #expect(
            try said("A gif on www.", "--lexicon", home.file("mine.txt")) == "A gif on www.\n  → A jif on world.\n")
        // Times refer to the text as written.
        #expect(try sentences("A gif on WWW.") == ["A gif on WWW. [0, 13]"])
        #expect(try sentences("A gif on www.", "--lexicon", home.file("mine.txt")) == ["A gif on www. [0, 13]"])
        #expect(try sentences("--ssml", "<speak>gif</speak>") == ["gif [7, 10]"])
    }

    private struct Mistake: CustomTestStringConvertible {
        let words: [String]
        let code: Int32
        let errors: String
        var testDescription: String { words.joined(separator: " ") }
    }

    private static let mistakes = [
        Mistake(
            words: ["--ssml", "<speak>\n<voice name='a'></speak>"], code: 66,
            errors: """
                synthhost: Line 2, column 17: </voice> is missing.
                Correct the text at that position, or omit the option that sets the script format.

                """),
        Mistake(
            words: ["--tokens", "[pause:soon]"], code: 66,
            errors: """
                synthhost: Line 1, column 8: "soon" is not a valid value for pause.
                Correct the text at that position, or omit the option that sets the script format.

                """),
        Mistake(
            words: ["--ssml", "<!DOCTYPE x [<!ENTITY a 'b'>]><speak/>"], code: 66,
            errors: """
                synthhost: Line 1, column 1: <!DOCTYPE is not allowed.
                Correct the text at that position, or omit the option that sets the script format.

                """),
        Mistake(
            words: ["--tokens", "[voice:Nobody]Hello"], code: 69,
            errors: """
                synthhost: No voice is called "Nobody".
                `synthhost voices` lists the voices.

                """),
        Mistake(
            words: ["--tokens", "One [sfx:chime] two"], code: 66,
            errors: """
                synthhost: No clip is called "chime".
                Give the clip a name with `synthhost config set clips.NAME FILE`, or pass a folder of clips with --clips DIR.

                """),
        Mistake(
            words: ["--tokens", "One [sfx:chime channel=bed] two"], code: 64,
            errors: """
                synthhost: The clip 'chime' needs the channel 'bed', but only queues have channels.
                Use `synthhost play FILE`, which supports channels, or remove the channel.

                """),
        Mistake(
            words: ["--tokens", "[[hɛloʊ]]"], code: 69,
            errors: """
                synthhost: The engine tone cannot speak phonemes.
                Write words instead, or choose a voice from espeak-ng with -v.

                """),
    ]

    @Test("A script with an error is not spoken, and the position is reported", arguments: mistakes)
    private func mistake(mistake: Mistake) throws {
        let result = try home.run(["speak"] + mistake.words + ["-v", "Sine", "-o", home.file("a.wav")])
        #expect(result.code == mistake.code)
        #expect(result.errors == mistake.errors)
        #expect(!home.exists("a.wav"))
    }

    @Test("Errors in a lexicon are reported with their line number")
    func badLexicon() throws {
        try home.write("gif = jif\nwrong\n", to: "bad.txt")
        let result = try home.run(
            "speak", "gif", "-v", "Sine", "--lexicon", home.file("bad.txt"), "-o", home.file("a.wav"))
        #expect(result.code == 78)
        #expect(
            result.errors.hasPrefix(
                "synthhost: Line 2 of \(home.file("bad.txt")) has no equals sign between a word and its pronunciation."
            ))
    }

    @Test("A script may refer only to files inside its own folder, and text from outside may not refer to any files")
    func paths() throws {
        #expect(try home.run("speak", "Ding", "-v", "Sine", "-o", home.file("ding.wav")).code == 0)
        try FileManager.default.createDirectory(atPath: home.file("scripts"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: home.file("ding.wav"), toPath: home.file("scripts/ding.wav"))
        func play(_ script: String, _ words: String...) throws -> Int32? {
            try home.write(script, to: "scripts/a.txt")
            return try home.run(["play", home.file("scripts/a.txt"), "-o", home.file("b.wav")] + words).code
        }
        #expect(try play("[sfx:ding.wav]") == 0)
        #expect(try play("[sfx:ding]", "--clips", home.path) == 0)
        for outside in ["../ding.wav", home.file("ding.wav"), "https://example.org/ding.wav", "nothing.wav"] {
            #expect(try play("[sfx:\(outside)]") == 66, "\(outside)")
        }
        let input = try home.run(
            "play", "-", "-o", home.file("c.wav"), input: Array("[sfx:scripts/ding.wav]".utf8))
        #expect(input.code == 66)
        #expect(!home.exists("c.wav"))
    }

    @Test("A script with two voices, a background clip and a pause becomes one recording")
    func play() throws {
        #expect(try home.run("speak", "Bed", "-v", "Low", "-o", home.file("sounds/bed.wav")).code != 0)
        try FileManager.default.createDirectory(atPath: home.file("sounds"), withIntermediateDirectories: true)
        #expect(try home.run("speak", "Bed", "-v", "Low", "-o", home.file("sounds/bed.wav")).code == 0)
        try home.write(
            "[sfx:bed channel=bed gain=-6dB]One. [pause:0.5s] [voice:Low]Two. [sfx:bed] [voice:]Three.", to: "a.txt")
        let result = try home.run(
            "play", home.file("a.txt"), "--clips", home.file("sounds"), "-v", "Sine", "-o", home.file("a.wav"))
        #expect(result.code == 0, "\(result.errors)")
        func seconds(_ words: String...) throws -> Double {
            #expect(try home.run(["speak"] + words + ["-o", home.file("part.wav")]).code == 0)
            return try home.wav("part.wav").seconds
        }
        let parts =
            try seconds("One.", "-v", "Sine") + seconds("Two.", "-v", "Low") + seconds("Three.", "-v", "Sine")
            + home.wav("sounds/bed.wav").seconds + 0.5
        // The engine's own silence does not make the pause longer.
        #expect((parts - 0.3...parts + 0.05).contains(try home.wav("a.wav").seconds))
    }
}
