import Glibc
import SynthAudio
import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthScript
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Library errors")
struct SpeechErrorTests {
    @Test(
        "Errors have the expected messages",
        arguments: [
            (SpeechError.cancelled, "The speech was cancelled."),
            (SpeechError.notReadable("/a.txt", .notFound), "/a.txt cannot be read: No such file or directory."),
            (
                SpeechError.invalidUTF8(offset: 7, byte: 0xFF),
                "The text is not UTF-8: invalid byte 0xFF at offset 7."
            ),
            (
                ScriptError(.expected("</voice>"), at: ScriptPosition(line: 2, column: 5, offset: 9)),
                "Line 2, column 5: </voice> is missing."
            ),
            (
                LexiconLine(file: "/words.txt", line: 3).error(
                    "has no equals sign between a word and its pronunciation"),
                "Line 3 of /words.txt has no equals sign between a word and its pronunciation."
            ),
            (VoiceError.unknownVoice("Hart", near: ["Heart"]), "No voice is called \"Hart\". Did you mean \"Heart\"?"),
            (
                VoiceError.notDownloaded(title: "Heart", word: "Heart", bytes: 329_054_701, why: nil),
                "The voice Heart is not downloaded (329 MB)."
            ),
            (
                SpeechError.voiceFileInvalid(
                    "/a.onnx", voice: "a", isUsersOwn: false, isShared: false,
                    EngineError(.badFile, "The weights are damaged.")),
                "/a.onnx: The weights are damaged."
            ),
            (
                EngineFailure(engine: "piper", reason: .crashed(signal: SIGSEGV, .speaking)),
                "The engine piper crashed (SIGSEGV) while speaking."
            ),
            (
                EngineFailure(engine: "piper", reason: .reported(EngineError(.failed, ""))),
                "The engine piper cannot speak this: It did not give a reason."
            ),
            (
                AudioError.deviceMissing(device: "default", known: ["null"]),
                "This machine has no sound card, or this user has no access to it."
            ),
            (AudioError.outputNotCreated(path: "/a/b", code: ENOENT), "The folder \"/a\" does not exist."),
            (
                AudioError.clip("/bell.txt", .notDecodable("Format not recognised.")),
                "Cannot read the clip /bell.txt: it is not an audio file in a supported format (Format not recognised)."
            ),
            (
                SpeechError.installationIncomplete("synthhost-worker", candidates: ["/a/synthhost-worker"]),
                "The program synthhost-worker is missing. Paths searched: /a/synthhost-worker."
            ),
        ] as [(any ErrorCause, String)])
    func message(cause: any ErrorCause, message: String) {
        let error = SpeechError(cause)
        #expect(error.message == message && "\(error)" == message && cause.message == message)
    }

    @Test("An error provides the facts in its message as values")
    func facts() {
        let lexicon = LexiconLine(file: "/words.txt", line: 3).error("has no word")
        #expect(lexicon.code == .lexiconInvalid && lexicon.facts.path == "/words.txt" && lexicon.facts.line == 3)
        let engine = SpeechError(VoiceError.unknownEngine("pipr", near: ["piper"]))
        #expect(engine.facts.engine == "pipr" && engine.facts.candidates == ["piper"])
        let device = SpeechError(AudioError.deviceMissing(device: "x", known: ["y"]))
        #expect(device.facts.device == "x" && device.remedy == .chooseDevice(["y"]))
        #expect(SpeechError(AudioError.noDescriptor(code: EMFILE)).facts.errno == EMFILE)
    }

    @Test("An error provides its remedy as a value")
    func remedies() {
        let voice = SpeechError(VoiceError.notDownloaded(title: "Heart", word: "Heart", bytes: 1, why: nil))
        #expect(voice.remedy == .downloadVoice("Heart"))
        let folder = SpeechError(AudioError.outputNotCreated(path: "/a/b", code: ENOENT))
        #expect(folder.remedy == .createFolder("/a", for: .sound))
        #expect(SpeechError.cancelled.remedy == nil)
    }

    @Test("An error preserves its cause and is never wrapped twice")
    func cause() {
        struct Broken: Error {}
        let once = SpeechError(VoiceError.noEngine)
        #expect(SpeechError(once).cause as? VoiceError == .noEngine)
        #expect(SpeechError.textSourceFailed(Broken()).cause is Broken)
        #expect(once == SpeechError(VoiceError.noEngine) && once != .closed)
    }
}
