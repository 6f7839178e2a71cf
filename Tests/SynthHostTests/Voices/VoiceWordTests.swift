import EngineWire
import ModelStore
import Testing

@testable import SynthHost

@Suite("What to type for a voice")
struct VoiceWordTests {
    private let directory = VoiceDirectory(engines: [
        EngineDescription(
            id: "choir", name: "Choir", version: "1", licence: "MIT",
            voices: [
                VoiceDescription(id: "a1", name: "Heart", language: "en-US", accent: "American"),
                VoiceDescription(id: "b1", name: "Emma", language: "en-GB", accent: "British"),
                VoiceDescription(id: "b2", name: "Emma", language: "en-IE", accent: "Irish"),
                VoiceDescription(id: "c1", name: "Twin", language: "de"),
                VoiceDescription(id: "c2", name: "Twin", language: "fr"),
            ])
    ])

    @Test(
        "is its name where that means it alone, else its title, else its id",
        arguments: [("a1", "Heart"), ("b1", "Emma (British)"), ("b2", "Emma (Irish)"), ("c1", "c1"), ("c2", "c2")])
    func word(id: String, word: String) throws {
        let voice = try #require(directory.voices.first { $0.id == id })
        #expect(directory.word(for: voice) == word)
        #expect(try VoiceDirectory.find(word, among: directory.voices).id == id)
    }

    @Test("finds a voice among those of any engine, and suggests near names")
    func find() {
        #expect(throws: VoiceError.unknownVoice("Haert", near: ["Heart", "Heart (American)"])) {
            try VoiceDirectory.find("Haert", among: directory.voices)
        }
        #expect(throws: VoiceError.ambiguousVoice("emma", candidates: ["Emma (British)", "Emma (Irish)"])) {
            try VoiceDirectory.find("emma", among: directory.voices)
        }
    }

    @Test(
        "is quoted where a shell would read it otherwise",
        arguments: [
            ("Heart", "Heart"), ("Emma (British)", "\"Emma (British)\""), ("O'Neil", "\"O'Neil\""),
            ("a$b", "'a$b'"), ("it's $5", "'it'\\''s $5'"), ("", "''"),
        ])
    func quoted(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }
}
