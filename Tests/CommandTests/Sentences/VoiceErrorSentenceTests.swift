import SynthCatalogue
@testable import SynthCommandSyntax
import SynthHost
import Testing

@testable import synthhost_cli

@Suite("Messages about voices that cannot be used")
struct VoiceErrorSentenceTests {
    @Test(
        "Each error states the problem and tells the user what to type",
        arguments: [
            .noEngine, .unknownEngine("x", near: ["y", "z"]), .onlyExamples(["x"]), .noVoices(engine: "x"),
            .unknownVoice("x", near: []), .forgottenVoice("x", engine: "y", near: []),
            .ambiguousVoice("x", candidates: ["a", "b"]), .unknownSpeaker("x", voice: "y", speakers: []),
            .unknownSpeaker("x", voice: "y", speakers: (0..<20).map { "s\($0)" }), .speakerOfBlend("x"),
            .incompleteBlend("a+"), .noWeight("0", voice: "a"), .largeBlend(9, largest: 8), .noBlends(engine: "x"),
            .blendOfEngines("a", "x", other: "b", otherEngine: "y"), .blendOfModels("a", other: "b"),
            .unknownLanguage("x", engine: "y", near: []), .unsupportedVoice(title: "x", why: "y"),
            .notDownloaded(title: "x", word: "y", bytes: 1, why: nil), .damaged(title: "x", id: "y", why: "z"),
            .missingEngine(title: "x", engine: "y"), .missingFile(title: "x", role: "y"),
        ] as [VoiceError])
    func all(error: VoiceError) {
        #expect(error.message.last.map { ".?".contains($0) } == true)
        #expect(error.nextStep.count > 10)
    }

    @Test("Similar names are suggested")
    func suggestions() {
        #expect(
            VoiceError.unknownEngine("x", near: ["y", "z"]).message
                == "No engine is called \"x\". Did you mean \"y\" or \"z\"?")
    }

    @Test("The message lists some speakers, and the remedy is the command that lists all of them")
    func speakers() {
        let error = VoiceError.unknownSpeaker("3", voice: "Trio", speakers: ["anna", "Ben", "0"])
        #expect(error.message.hasSuffix("its speakers are anna, Ben, 0, numbered 0 to 2."))
        #expect(error.nextStep == "Choose a speaker with --speaker; `synthhost voices Trio` lists the speakers.")
        let many = VoiceError.unknownSpeaker("x", voice: "y", speakers: (0..<20).map { "s\($0)" })
        #expect(many.message.contains("s7 and 12 more, numbered 0 to 19."))
    }

    @Test("A mistyped name and a voice that is not installed have different codes")
    func codes() {
        #expect(CommandFailure(VoiceError.incompleteBlend("a+")).code == .usage)
        #expect(CommandFailure(VoiceError.unknownVoice("x", near: [])).code == .unavailable)
    }
}
