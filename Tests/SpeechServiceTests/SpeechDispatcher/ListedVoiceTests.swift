import SynthCatalogue
import SynthHost
import Testing

@testable import SynthSpeechDispatcher

@Suite("The voice list for speech-dispatcher")
struct ListedVoiceTests {
    private func voice(
        _ id: String, _ name: String, _ language: String, _ gender: Gender? = nil, by engine: String = "one"
    ) throws -> SpeechVoice {
        let declared = DeclaredVoice(id: id, name: name, language: language, gender: gender)
        return SpeechVoice(VoiceChoice(voice: try Voice(declared, by: engine)), state: .ready)
    }

    @Test("Each voice is listed once, as a single word, and voices of the same gender are numbered")
    func list() throws {
        let listed = ListedVoice.all([
            try voice("a", "Ann Lee", "en-US", .female), try voice("b", "Bob", "en", .male),
            try voice("c", "Cleo", "en-GB", .female), try voice("d", "Dora", "de", .female),
            try voice("e", "Bob", "en", by: "two"), try voice("f", "BOB", "en", by: "two"),
            try voice("g", "Gil\tX", "en", .female), try voice("h", "Hilda", "en", .female),
        ])
        #expect(
            listed.map(\.line) == [
                "Ann_Lee\ten-US\tfemale1", "Bob\ten\tmale1", "Cleo\ten-GB\tfemale1", "Dora\tde\tfemale1",
                "Bob_two\ten\tnone", "BOB_two_2\ten\tnone", "Gil_X\ten\tfemale1", "Hilda\ten\tfemale2",
            ])
    }

    @Test(
        "A voice speaks its language, whether or not a region is specified",
        arguments: [("en", true), ("EN-us", true), ("en-GB", false), ("e", false), ("de", false)])
    func languages(tag: String, speaks: Bool) throws {
        let listed = ListedVoice.all([try voice("a", "Ann", "en-US")])
        #expect(listed.first?.speaks(tag) == speaks)
    }
}
