import Glibc
import SynthAudio
import SynthBooks
import SynthDocuments
import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthModelStore
@testable import SynthCommandSyntax
import SynthService
import SynthSystem
import SynthTerminal
import Testing

@testable import SynthCatalogue
@testable import SynthScript
@testable import synthhost_cli
@testable import SynthHTTPServer
@testable import SynthSpeech
@testable import SynthUserVoices
@testable import SynthWeb

@Suite("Error codes")
struct ErrorCodeTests {
    private static func engine(_ reason: EngineFailure.Reason) -> EngineFailure {
        EngineFailure(engine: "piper", reason: reason)
    }

    private static func reported(_ kind: EngineError.Kind) -> EngineFailure {
        engine(.reported(EngineError(kind, "It sings.")))
    }

    private static func fetch(_ cause: FetchFailure) -> StoreError {
        .notDownloaded(DownloadFailure(file: "a.onnx", voice: "heart", folder: "/f", mirror: nil, cause))
    }

    private static let place = ScriptPosition(line: 2, column: 5, offset: 9)
    private static let next = SpeechError.Remedy.Addition(paths: ["a.onnx"])
    private static let denied = FileFailure(.noAccess, call: "open", path: "/x")
    private static let busy = SpeechError(StoreError.notOurs(path: "/x"))
    private static let refused = ServerFailure(
        url: "https://a.b/c", host: "a.b", .status(404, .file), mayPass: false)

    private static let model = RecognizerModelEntry(
        id: "tiny", recognizer: "whisper", name: "Tiny", languages: ["en"], license: nil, cost: nil, suits: nil,
        starter: nil, note: nil,
        files: [],
        alternative: [], folder: "tiny")

    private static let voices: [any ErrorCause] = [
        VoiceError.noEngine, VoiceError.unknownEngine("pipr", near: ["piper"]), VoiceError.noVoices(engine: "piper"),
        VoiceError.unknownVoice("Hart", near: ["Heart"]), SpeechError.voiceKeyUnknown("a/b"),
        VoiceError.ambiguousVoice("a", candidates: ["a1", "a2"]),
        SpeechError.voiceNotSingle("a+b", isBlend: true, words: ["a", "b"]),
        VoiceError.unknownSpeaker("x", voice: "Flock", speakers: ["a", "b"]),
        VoiceError.unknownLanguage("xx", engine: "piper", near: []), VoiceError.incompleteBlend("a+"),
        VoiceError.noBlends(engine: "piper"), VoiceError.unsupportedVoice(title: "Heart", why: "it sings"),
        VoiceError.missingEngine(title: "Heart", engine: "kokoro"),
        VoiceError.notDownloaded(title: "Heart", word: "Heart", bytes: 5, why: nil),
        VoiceError.damaged(title: "Heart", id: "heart", why: "it is short"),
        VoiceError.missingFile(title: "Heart", role: "model"),
        SpeechError.voiceFileInvalid(
            "/a.onnx", voice: "a", isUsersOwn: false, isShared: false,
            EngineError(.badFile, "The weights are damaged.")),
        SpeechError.voiceBuiltIn("Sine", engine: "tone"), SpeechError.voiceNotInstalled("Heart"),
        SpeechError.voiceIsSpeaking("Heart"), SpeechError.precisionUnknown("q9", title: "Heart", known: []),
        SpeechError.downloadFailed("Heart", busy), SpeechError.removalFailed("Heart", busy),
        StoreError.idOfRegistry("heart"), SpeechError.missing(name: "a.json", beside: "/a.onnx", engine: "piper"),
        SpeechError.severalEngines(["piper", "kokoro"]),
        SpeechError.silent("Mine", SpeechError(reported(.failed))),
    ]

    private static let engines: [any ErrorCause] = [
        engine(.crashed(signal: SIGSEGV, .speaking)), engine(.hung(.seconds(5), .speaking)),
        reported(.violatedContract), engine(.refused(Refusal(.lacksLibrary("liba.so.1")))),
        engine(.notStarted(.noThread)), reported(.badFile), reported(.badRequest), reported(.failed),
        SpeechError.recognizerMissing(folder: "/plugins"), SpeechError.unknownRecognizer("x", known: ["whisper"]),
        SpeechError(recognizer: reported(.badRequest)), SpeechError(recognizer: reported(.failed)),
        SpeechError(recognizer: engine(.hung(.seconds(5), .listening))),
        SpeechError(recognizer: engine(.refused(Refusal(.damaged)))), SpeechError.unknownModel("x", known: []),
        SpeechError.noModel(language: "xx"), SpeechError.modelOfOtherLanguage(model, "xx"),
        SpeechError.modelNotDownloaded(model, because: nil), SpeechError.translationUnsupported(model: "Tiny"),
        SpeechError.languageInvalid("??"), SpeechError(microphone: .deviceFailed(device: "hw:1", code: ENODEV)),
        AudioError.clip("/talk.wav", .notOpened(.notFound)).ofRecording,
        AudioError.clip("/talk.wav", .cutShort(frame: 9)).ofRecording,
        SpeechError.recordingTooLong(limit: .seconds(7200)),
    ]

    private static let output: [any ErrorCause] = [
        AudioError.outputNotCreated(path: "/a/b", code: ENOTDIR),
        AudioError.outputNotCreated(path: "/a/b", code: ENOENT),
        AudioError.outputInUse(path: "/a.wav", .clip, kept: nil),
        AudioError.outputNotWritten(name: .file("/a.wav"), code: EIO),
        AudioError.outputNotWritten(name: .file("/a.wav"), code: EFBIG),
        AudioError.outputNotWritten(name: .file("/a.wav"), code: ENOSPC), AudioError.endingUnknown(path: "/a.xyz"),
        AudioError.endingContradicts(path: "/a.wav", ending: .wav, asked: .flac),
        AudioError.formatMissing(.mp3, known: [.wav]), AudioError.encodingFailed(.opus, reason: nil),
        AudioError.tagTooLong(.title, bytes: 9, limit: 5),
        SpeechError(timings: .outputNotWritten(name: .file("/a.srt"), code: EIO)),
        SpeechError.timingsEndingUnknown(path: "/a.xyz"), SpeechError.outputsCollide(path: "/a.wav"),
        AudioError.brokenPipe,
        AudioError.deviceMissing(device: "x", known: ["y"]), AudioError.deviceNotOpened(device: "x", code: EBUSY),
        AudioError.deviceRefusesFormat(device: "x", format: AudioFormat(sampleRate: 1, channels: 1), code: EINVAL),
        AudioError.deviceStalled(device: "x"), AudioError.formatUnusable(AudioFormat(sampleRate: 1, channels: 1)),
        AudioError.tempoUnusable(tempo: 9, pitch: 1), AudioError.conversionFailed(.library("no memory")),
        AudioError.notMeasured(.silent), SpeechError.clipUnknown("bell", near: []),
        SpeechError.clipAmbiguous("bell", files: ["/bell.wav", "/bell.ogg"]), SpeechError.clipNotRelative("/bell.wav"),
        AudioError.clip("/bell.wav", .notDecodable("why")), AudioError.clip("/a.m4a", .converterMissing).ofRecording,
        AudioError.clip("/bell.wav", .decoderNotLoaded(library: "liba.so", reason: nil)),
        AudioError.noDescriptor(code: EMFILE),
    ]

    private static let others: [any ErrorCause] = [
        SpeechError.cancelled, SpeechError.overloaded, SpeechError.noThread,
        SpeechError.notReadable("/a.txt", .notFound),
        ScriptError(.libraryNotLoaded("liba.so", nil), at: .start),
        SpeechError.installationIncomplete("a", candidates: ["/b/a"]),
        SpeechError.alreadyRead, SpeechError.closed, SpeechError.truncatedUTF8(offset: 7),
        SpeechError.textSourceFailed(Errno.noSpace), ScriptError(.expected("</p>"), at: place),
        SpeechError.channelUnavailable("left", clip: "bell"),
        LexiconLine(file: "/words.txt", line: 3).error("has no word"),
        SpeechError.nothingToSay, SpeechError.environmentInvalid("HOME"),
        SpeechError.unknownKey("rat", file: "/c.json", line: 3, near: "rate"),
        SpeechError.noSuchKey("rat", near: nil), SpeechError.configurationUnwritable(file: "/c.json", code: EROFS),
        RegistryError(origin: .file("/r.json"), line: 3, subject: .voice("heart"), .noFiles),
        StoreError.busy(entry: "heart", process: 7), StoreError.file(denied), StoreError.notThere(path: "/x"),
        StoreError.notInStore(voice: "heart"), fetch(.silent), fetch(.offline), fetch(.servers([refused])),
        StoreError.memberMissing(archive: "/a.zip", member: "b"),
        SpeechError(document: "/a.epub", .encrypted), SpeechError(document: "/a.xyz", .unknownFormat),
        SpeechError(document: "/a.epub", .damaged("has no chapters")), SpeechError(document: "/a.epub", .tooLarge),
        SpeechError(document: "/a.epub", .empty), SpeechError(document: "/a.pdf", .scanned),
        SpeechError(document: "/a.pdf", .locked), SpeechError(document: "/a.pdf", .programMissing("pdftohtml")),
        SpeechError(document: "/a.epub", .program(.silent)),
        BookFailure.foreignFile(path: "/out/a.wav"), BookFailure.busy(folder: "/out"),
        BookFailure.missing(count: 2, firstChapter: 1), BookFailure.list(line: 3, reason: "it has no text"),
        BookFailure.converter(reason: "ffmpeg is missing."), TerminalError.failed(code: EIO),
        TerminalError.noAnswer(code: EIO), fetch(.program(path: "/f", .notUnderstood)),
        SpeechError.tokenUnusable("/t", .noAccess), SpeechError.tokenNotSecret("/t"), SpeechError.noToken("/t"),
        SpeechError.pageMissing("/p/index.html"),
    ]

    private static let all = voices + engines + output + others

    @Test("Every code is used by at least one error")
    func complete() {
        let missing = Set(SpeechError.Code.allCases).subtracting(Self.all.map(\.code))
        #expect(missing.isEmpty, "\(missing.map(\.rawValue).sorted())")
    }

    @Test("Every message is a sentence that contains all facts but no command", arguments: all.indices)
    func message(number: Int) {
        let error = SpeechError(Self.all[number])
        let message = error.message
        #expect(message.hasSuffix(".") || message.hasSuffix("?"), "\(message)")
        #expect(!message.contains("..") && !message.contains("`") && !message.contains(" --"), "\(message)")
        #expect(!message.contains("synthhost models") && !message.contains("Type:"), "\(message)")
        let facts = error.facts
        // For a missing recognizer, the remedy names the folder instead.
        for fact in [facts.path, facts.device, facts.library] where error.code != .recognizerMissing {
            guard let fact else { continue }
            #expect(message.contains(fact), "\(message) does not name \(fact)")
        }
        for number in [facts.line, facts.column] {
            guard let number else { continue }
            #expect(message.contains("\(number)"), "\(message) does not name \(number)")
        }
    }

    @Test("Every name quoted in a message is one of the error's facts", arguments: all.indices)
    func facts(number: Int) {
        let error = SpeechError(Self.all[number])
        let facts = "\(error.facts)"
        // A quoted symbol without letters is not a name.
        for quoted in error.message.matches(of: /"([^"]*)"/).map(\.1) where quoted.contains(where: \.isLetter) {
            #expect(facts.contains(quoted), "\(error.message): \(facts)")
        }
    }

    @Test("Every code has an exit code, an HTTP status and a name", arguments: SpeechError.Code.allCases)
    func ends(code: SpeechError.Code) {
        #expect((ExitCode(code) == .done) == (code == .readerGone))
        #expect(code.status.code >= 400 && !code.word.isEmpty)
    }

    @Test("A command prints an error's message and remedy")
    func printed() {
        for cause in Self.all where cause.code != .readerGone {
            let failure = CommandFailure(cause as any Error)
            #expect(failure.message == cause.message && failure.code == ExitCode(cause.code))
            #expect(failure.remedy == (cause.remedy?.command ?? ""))
            #expect(cause.remedy?.command.isEmpty != true, "\(cause.code) has an empty remedy")
        }
    }
}
