import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Input files of commands", .ownThreads)
struct InputFileTests {
    /// A home folder with a voice, a plugin, a lexicon, a clip, a script that refers to the clip, and a text file.
    private struct Fixture {
        let registry: RegistryFixture
        var home: UserHome { registry.home }

        init() throws {
            registry = try RegistryFixture()
            #expect(try home.run("models", "pull", "Nature").code == 0)
            try home.install("reed")
            try home.write("gif = jif\n", to: "words.txt")
            try home.write("jpg = jay peg\n", to: "config/synthhost/lexicon.txt")
            try home.write("Hello [sfx:chime] there.", to: "script.txt")
            try home.write("Hello.", to: "text.txt")
            try home.write("", to: "clips/empty")
            let chime = try home.run("speak", "-e", "tone", "Ding.", "-o", home.file("clips/chime.wav"))
            #expect(chime.code == 0, "\(chime.errors)")
            try home.write(
                "{\"clips\": {\"chime\": \"\(home.file("clips/chime.wav"))\"}}", to: "config/synthhost/config.json")
        }

        /// The input files, and their descriptions in messages.
        func files() throws -> [(name: String, what: String)] {
            let voice = try #require(registry.stored("nature.pitch").first)
            return [
                ("words.txt", "the lexicon that this command reads"),
                ("config/synthhost/lexicon.txt", "the lexicon that this command reads"),
                ("clips/chime.wav", "a clip that this command plays"),
                ("config/synthhost/config.json", "the configuration that this command reads"),
                ("data/synthhost/models.json", "a voice registry that this command reads"),
                (voice, "a voice file"),
                (voice.replacing("nature.pitch", with: "installed.json"), "a voice file"),
                ("data/synthhost/plugins/reed.so", "an engine"),
            ]
        }

        var content: [String: Data] {
            get throws {
                var content: [String: Data] = [:]
                for (name, _) in try files() { content[name] = try home.data(name) }
                for name in ["script.txt", "text.txt"] { content[name] = try home.data(name) }
                return content
            }
        }
    }

    @Test("`speak` and `play` never write audio or timings to one of their inputs, under any name")
    func outputs() throws {
        let fixture = try Fixture()
        let home = fixture.home
        let before = try fixture.content
        let speak = [
            "speak", "-v", "Nature", "--tokens", "-f", home.file("script.txt"), "--lexicon", home.file("words.txt"),
        ]
        let play = ["play", "-v", "Nature", home.file("script.txt"), "--lexicon", home.file("words.txt")]
        let texts = [("script.txt", "the text that this command reads")]
        for (number, (name, what)) in (texts + (try fixture.files())).enumerated() {
            link(home.file(name), home.file("hard\(number).srt"))
            symlink(home.file(name), home.file("soft\(number).srt"))
            for path in [name, "hard\(number).srt", "soft\(number).srt"].map(home.file) {
                let attempts =
                    [
                        speak + ["--format", "wav", "-o", path], speak + ["--raw", "-o", path],
                        play + ["--format", "wav", "-o", path],
                    ] + (path.hasSuffix(".srt") ? [speak + ["-o", home.file("out.wav"), "--timings", path]] : [])
                for words in attempts where !path.hasSuffix("chime.wav") || words.contains("--format") {
                    let result = try home.run(words)
                    #expect(result.code == 73, "\(words) \(result.errors)")
                    #expect(result.errors.contains("\"\(path)\" is \(what)."), "\(words) \(result.errors)")
                }
            }
        }
        #expect(try fixture.content == before)
        #expect(!home.exists("out.wav"))
        #expect(try home.run(speak + ["-o", home.file("out.wav"), "--timings", home.file("out.srt")]).code == 0)
    }

    @Test("Timings are never written to the audio file", arguments: ["a.srt", "./a.srt", "here/a.srt"])
    func times(name: String) throws {
        let home = try UserHome()
        symlink(".", home.file("here"))
        for isThere in [false, true] {
            if isThere { try home.write("precious", to: "a.srt") }
            let result = try home.run(
                "speak", "-e", "tone", "Hello.", "--format", "wav", "-o", home.file("a.srt"), "--timings",
                home.file(name))
            #expect(result.code == 64 && result.errors.contains("cannot both be written to"), "\(result.errors)")
        }
        #expect(try home.data("a.srt") == Data("precious".utf8))
    }

    @Test(
        "After an engine failure, partial audio is kept next to an existing file or else under the requested name"
    )
    func failure() throws {
        let home = try UserHome()
        try home.installFaulty("moody", voice: "Moody", ["SPEAK=moody"])
        try home.write("precious", to: "good.wav")
        let text = "one two. three crash four."
        let good = try home.run("speak", "-v", "Moody", text, "-o", home.file("good.wav"))
        #expect(good.code == 70)
        let kept = home.file("good (stopped).wav")
        #expect(good.errors.contains("; \(home.file("good.wav")) is unchanged, and \(kept) contains the audio so far."))
        #expect(try home.data("good.wav") == Data("precious".utf8))
        #expect(try home.wav("good (stopped).wav").frames > 0)
        let new = try home.run("speak", "-v", "Moody", text, "-o", home.file("new.wav"))
        #expect(new.code == 70 && new.errors.contains("; \(home.file("new (stopped).wav")) contains the audio so far."))
        #expect(try home.wav("new (stopped).wav").frames > 0)
        #expect(!home.exists("new.wav"))
    }
}
