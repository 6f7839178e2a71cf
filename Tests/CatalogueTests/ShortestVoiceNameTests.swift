import SynthSystem
import Testing

@testable import SynthCatalogue

@Suite("The shortest name of a voice")
struct ShortestVoiceNameTests {
    private let directory = VoiceDirectory(engines: [
        TestEngine(
            id: "choir",
            voices: [
                DeclaredVoice(id: "a1", name: "Heart", language: "en-US", accent: "American"),
                DeclaredVoice(id: "b1", name: "Emma", language: "en-GB", accent: "British"),
                DeclaredVoice(id: "b2", name: "Emma", language: "en-IE", accent: "Irish"),
                DeclaredVoice(id: "c1", name: "Twin", language: "de"),
                DeclaredVoice(id: "c2", name: "Twin", language: "fr"),
            ])
    ])

    @Test(
        "The shortest name is the voice's name if that is unique, otherwise its title, otherwise its ID",
        arguments: [("a1", "Heart"), ("b1", "Emma (British)"), ("b2", "Emma (Irish)"), ("c1", "c1"), ("c2", "c2")])
    func word(id: String, word: String) throws {
        let voice = try #require(directory.voices.first { $0.id == id })
        #expect(directory.word(for: voice) == word)
        #expect(try VoiceDirectory.find(word, among: directory.voices).id == id)
    }

    /// One engine's "Heart", and another engine's "Heart Small" with the alias "Heart".
    private func namesakes(large: Int64?, small: Int64?) throws -> [Voice] {
        let entries = [("large", "Heart", "[]"), ("small", "Heart Small", "[\"Heart\"]")].map {
            engine, name, aliases in
            """
            {"id": "heart-\(engine)", "engine": "\(engine)", "name": "\(name)", "language": "en-US", "accent": "American",
             "aliases": \(aliases), "files": [{"role": "model", "url": "https://example.org/\(engine)", "size": 1,
                                                "md5": "d41d8cd98f00b204e9800998ecf8427e"}]}
            """
        }
        let text = "{\"voices\": [\(entries.joined(separator: ","))]}"
        return try Registry([(origin: "here", text: Array(text.utf8))]).voices.map { voice in
            var voice = voice
            voice.installed = voice.engine == "large" ? large : small
            return voice
        }
    }

    @Test(
        "If voices of two engines share a name, the one installed first is selected",
        arguments: [
            (nil, nil, "large"), (5, nil, "large"), (nil, 5, "small"), (5, 6, "large"), (6, 5, "small"),
            (5, 5, "large"),
        ] as [(Int64?, Int64?, String)])
    func installedFirst(large: Int64?, small: Int64?, engine: String) throws {
        let engines = [VoiceEngine(id: "large", blends: true), VoiceEngine(id: "small")]
        let voices = try namesakes(large: large, small: small)
        for voices in [voices, voices.reversed()] {
            let directory = VoiceDirectory(engines: engines, voices: voices)
            #expect(try directory.choose(VoiceQuery(name: "heart")).voice.engine == engine)
            #expect(try VoiceDirectory.find("Heart", among: voices).engine == engine)
            // The configured engine takes precedence, as for all names.
            for chosen in ["large", "small"] {
                let query = VoiceQuery(name: "Heart", preferredEngine: chosen)
                #expect(try directory.choose(query).voice.engine == chosen)
            }
            #expect(try directory.choose(VoiceQuery(name: "Heart Small")).voice.engine == "small")
            #expect(try directory.choose(VoiceQuery(name: "Heart (American)")).voice.engine == "large")
            #expect(
                try directory.choose(VoiceQuery(name: "Heart*2+Heart")).shares.map(\.voice.engine) == [
                    "large", "large",
                ])
            for voice in voices {
                let word = directory.word(for: voice)
                #expect(try directory.choose(VoiceQuery(name: word)).voice.engine == voice.engine, "\(word)")
            }
        }
    }

    @Test("A shared name selects the best of several voices that differ only in quality; otherwise, it is ambiguous")
    func people() throws {
        let engine = TestEngine(
            id: "choir",
            voices: [
                DeclaredVoice(id: "am_santa", name: "Santa", language: "en-US", accent: "American"),
                DeclaredVoice(id: "em_santa", name: "Santa", language: "es"),
                DeclaredVoice(id: "tern", name: "Tern", language: "en"),
                DeclaredVoice(id: "tern-2", name: "Tern", language: "en"),
            ])
        let voices = VoiceDirectory(engines: [engine]).voices
        for (name, candidates) in [("Santa", ["Santa (American)", "em_santa"]), ("Tern", ["tern", "tern-2"])] {
            #expect(throws: VoiceError.ambiguousVoice(name, candidates: candidates)) {
                try VoiceDirectory.find(name, among: voices)
            }
            for word in candidates { #expect(throws: Never.self) { try VoiceDirectory.find(word, among: voices) } }
        }
        let entries = ["low", "medium"].map { quality in
            """
            {"id": "amy-\(quality)", "engine": "choir", "name": "Amy", "language": "en-US", "quality": "\(quality)",
             "files": [{"role": "model", "url": "https://example.org/\(quality)", "size": 1,
                        "md5": "d41d8cd98f00b204e9800998ecf8427e"}]}
            """
        }
        let text = "{\"voices\": [\(entries.joined(separator: ","))]}"
        let amy = try Registry([(origin: "here", text: Array(text.utf8))]).voices
        #expect(try VoiceDirectory.find("Amy", among: amy).id == "amy-medium")
        #expect(throws: VoiceError.ambiguousVoice("Amy", candidates: ["amy-low", "amy-medium"])) {
            try VoiceDirectory.find("Amy", among: amy, takesBest: false)
        }
    }

    @Test("A name is looked up in all engines, and suggestions are made for an unknown name")
    func find() {
        #expect(throws: VoiceError.unknownVoice("Haert", near: ["Heart"])) {
            try VoiceDirectory.find("Haert", among: directory.voices)
        }
        #expect(throws: VoiceError.ambiguousVoice("emma", candidates: ["Emma (British)", "Emma (Irish)"])) {
            try VoiceDirectory.find("emma", among: directory.voices)
        }
    }

    @Test(
        "A name is quoted if a shell would interpret it",
        arguments: [
            ("Heart", "Heart"), ("Emma (British)", "\"Emma (British)\""), ("O'Neil", "\"O'Neil\""),
            ("a$b", "'a$b'"), ("it's $5", "'it'\\''s $5'"), ("", "''"),
            ("=ls", "\"=ls\""), ("a=b", "a=b"), ("a\nb", "$'a\\012b'"), ("it's\u{1B}[1m\\", "$'it\\'s\\033[1m\\\\'"),
            ("a\u{202E}b\u{2028}", "$'a\\342\\200\\256b\\342\\200\\250'"),
        ])
    func quoted(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
        #expect(!ShellWord.quoted(word).contains { $0.isNewline })
    }
}
