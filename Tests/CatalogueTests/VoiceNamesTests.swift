import Testing

@testable import SynthCatalogue

@Suite("Lists of voice names")
struct VoiceNamesTests {
    private static let engines = [
        TestEngine(
            id: "piano",
            voices: [
                DeclaredVoice(id: "af_heart", name: "Heart", language: "en-US", accent: "American"),
                DeclaredVoice(id: "bf_emma", name: "Emma", language: "en-GB", accent: "British"),
            ]),
        TestEngine(
            id: "harp",
            voices: [
                DeclaredVoice(id: "emma", name: "Emma", language: "en-IE"),
                DeclaredVoice(id: "hearth", name: "Hearth", language: "en-IE"),
            ]),
    ]
    private let all = VoiceDirectory(engines: engines)

    private func keys(_ names: String...) -> [String] {
        let names = VoiceNames(names)
        return all.voices.filter(names.contains).map(\.key)
    }

    @Test("Voices match by key, ID, title or name, ignoring case, and a shared name matches all its voices")
    func names() {
        #expect(keys("piano/af_heart") == ["piano/af_heart"])
        #expect(keys("PIANO/AF-heart") == ["piano/af_heart"])
        #expect(keys("AF_HEART") == ["piano/af_heart"])
        #expect(keys("heart  (American)") == ["piano/af_heart"])
        #expect(keys("heart") == ["piano/af_heart"])
        #expect(keys("emma") == ["piano/bf_emma", "harp/emma"])
        #expect(keys("Emma (British)", "Hearth") == ["piano/bf_emma", "harp/hearth"])
        #expect(keys("en-GB", "harp", "") == [])
        #expect(keys() == [])
    }

    @Test("If several settings apply to a voice, the one with the most specific name comes first")
    func table() throws {
        let table = NameTable(["Emma": 1, "harp/emma": 2, "bf_emma": 3, "emma (british)": 4])
        let british = try #require(all.voices.first { $0.id == "bf_emma" })
        let irish = try #require(all.voices.first { $0.id == "emma" })
        #expect(table.values(of: british) == [3, 4, 1])
        #expect(table.values(of: irish) == [2, 1])
        #expect(NameTable<Int>([:]).values(of: irish) == [])
    }

    @Test("Names that match no voice are reported")
    func strays() {
        let names = ["heart", "Gone", "harp/EMMA", "piano/emma", "Emma (British)"]
        #expect(VoiceNames.strays(names, among: all.voices) == ["Gone", "piano/emma"])
    }

    @Test("A voice is found by its key")
    func key() throws {
        #expect(try all.choose(VoiceQuery(name: "harp/emma")).voice.key == "harp/emma")
    }

    @Test("Hidden voices can be selected by name but are neither suggested nor listed")
    func hidden() throws {
        func directory(hiding names: String...) -> VoiceDirectory {
            VoiceDirectory(engines: all.engines, voices: all.voices, hidden: VoiceNames(names))
        }
        #expect(throws: VoiceError.unknownVoice("Haert", near: ["Heart", "Hearth"])) {
            try all.choose(VoiceQuery(name: "Haert"))
        }
        let hiding = directory(hiding: "piano/af_heart")
        #expect(throws: VoiceError.unknownVoice("Haert", near: ["Hearth"])) {
            try hiding.choose(VoiceQuery(name: "Haert"))
        }
        #expect(try hiding.choose(VoiceQuery(name: "Heart")).voice.id == "af_heart")
        #expect(throws: VoiceError.unknownVoice("Haert", near: ["Hearth"])) {
            try VoiceDirectory.find("Haert", among: all.voices, hidden: VoiceNames(["Heart"]))
        }
    }
}
