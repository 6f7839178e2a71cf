import SynthCatalogue
import SynthEngineWire
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Voices that an engine declares")
struct DeclaredVoicesTests {
    private let engine = EngineDescription(
        id: "choir", name: "Choir", version: "1", license: "MIT",
        voices: [
            VoiceDescription(id: "heart", name: "Heart", language: "en", model: "choir"),
            VoiceDescription(id: ".hidden", name: "Hidden", language: "en"),
            VoiceDescription(id: "spaced", name: "Spaced", language: "en", model: "two words"),
        ])

    @Test("Every declared voice is used or reported")
    func unusable() {
        #expect(engine.builtInVoices.map(\.id) == ["heart"])
        #expect(engine.unusableVoices.map(\.subject) == [.voice(".hidden"), .voice("spaced")])
        #expect(engine.unusableVoices.allSatisfy { $0.origin == .engine("choir") })
    }

    @Test("Voice selection takes into account which voices need no files and which share a model")
    func engines() throws {
        let known = VoiceEngine(engine)
        let heart = try #require(engine.builtInVoices.first)
        let other = try Voice(DeclaredVoice(id: "other", name: "Other", language: "en"), by: "choir")
        #expect(known.speaksWithoutFiles(heart) && !known.speaksWithoutFiles(other))
        #expect(known.model(of: heart) == "choir" && known.model(of: other) == "other")
    }
}
