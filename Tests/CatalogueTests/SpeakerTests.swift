import Testing

@testable import SynthCatalogue

@Suite("Selecting a speaker")
struct SpeakerTests {
    private let directory = VoiceDirectory(engines: [
        TestEngine(
            id: "choir",
            voices: [
                DeclaredVoice(id: "trio", name: "Trio", language: "en", model: nil, speakers: ["anna", "Ben", "0"])
            ])
    ])

    private func speaker(_ name: String) throws(VoiceError) -> String? {
        try directory.choose(VoiceQuery(name: "Trio", speaker: name)).speaker
    }

    @Test(
        "A speaker is found by name or, failing that, by index",
        arguments: [("anna", "anna"), ("ben", "Ben"), ("1", "Ben"), ("2", "0"), ("0", "0"), ("01", "Ben")])
    func meant(name: String, expected: String) throws {
        #expect(try speaker(name) == expected)
        #expect(try directory.choose(VoiceQuery(name: "Trio+\(name)")).speaker == expected)
    }

    @Test("The error for an unknown speaker lists all names", arguments: ["3", "-1", "+1", "Bob", "", "٣"])
    func unknown(name: String) throws {
        #expect(throws: VoiceError.unknownSpeaker(name, voice: "Trio", speakers: ["anna", "Ben", "0"])) {
            try speaker(name)
        }
    }
}
