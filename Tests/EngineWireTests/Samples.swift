import FrameChecks
import SynthEngineWire
import SynthSystem

/// Frames of every kind, with each field used and each field empty.
enum Samples {
    static let error = EngineError(.badFile, "The weights are damaged.", role: "weights")
    static let files = [HandedFile(role: "weights", path: "/a/b"), HandedFile(role: "ä", path: "")]

    static let requests: [ControlRequest] = [
        .describe,
        .load(model: 7, LoadRequest(id: "kokoro", threads: 4, cacheDirectory: "/cache", files: files)),
        .load(model: .max, LoadRequest(id: "")), .open(lane: 1, model: 7), .cancel(lane: 1, serial: .max),
        .unload(model: 7),
    ]

    static let flaws: [Refusal.Flaw] =
        [
            .cannotBeOpened(Errno(2)), .cannotBeRead(Errno(5)), .notRegularFile, .empty, .notSharedLibrary,
            .otherMachine, .damaged, .lacksLibrary("liba.so"), .cannotBeLoaded("undefined"), .cannotBeMapped("no room"),
            .ofOtherUser("/a"), .writableByAll("/a"), .writableByGroup(""), .writableByOthers("/ä"),
            .unreadableAccessList(Errno(1)), .notAbsolute, .noEntry, .noRecognizer, .noTable(version: 1),
            .otherVersion(7, host: 1),
            .missingFunction, .sharedFolder("/tmp"), .absentFolder, .unconfined([.files, .calls]),
        ]
        + [
            .unusable(DescriptionField(.id)), .unusableList(DescriptionField(.speakers, ofVoice: "one")),
            .forbiddenCharacters("../x", in: DescriptionField(.voiceID)),
            .unusableRange(low: 0, high: 2, of: DescriptionField(.rate)),
            .tooMany(DescriptionField(.roles), most: 256), .sameID("one"), .sameModelID("one"),
            .differsByCase("One", from: "one"),
            .missingFile(voice: "one"), .unusable(DescriptionField(.modelFiles, ofVoice: "one")),
        ].map { .description($0) }

    static let parts: [EnginePart] = [
        .folder("/a"), .library("/a/b.so"), .searchFolder("/a", for: nil), .searchFolder("/a", for: "/b.so"),
        .searchElement("", for: nil), .namedLibrary("./a.so", for: "/b.so"),
    ]

    static let refusals: [ControlReply] =
        flaws.map { .refused(Refusal($0)) } + parts.map { .refused(Refusal(.notAbsolute, of: $0)) }

    static let replies: [ControlReply] =
        refusals + [
            .description(part: [1, 2, 3], isLast: false), .description(part: [], isLast: true), .done,
            .failed(error), .failed(EngineError(.failed, "")), .log(.warning, "Grüße"), .log(.debug, ""),
        ]

    static let laneRequests: [LaneRequest] = [
        LaneRequest(
            .text("Grüße 👋"), language: "de-AT",
            voices: [VoiceUse(id: "a", speaker: "s", weight: 0.25, files: files), VoiceUse(id: "b", weight: 0.75)],
            rate: 1.5, pitch: 0.5, variation: -1, wants: [.word, .sentence], isAwaited: true,
            pitchPoints: [LanePitchPoint(offset: 0, factor: 0.5), LanePitchPoint(offset: 65_536, factor: 2)],
            intonation: -0.5, isWhispered: true, serial: 3),
        LaneRequest(
            .textAndPhonemes("a [[b]]"), language: nil, voices: [], rate: 1, pitch: 1, wants: [], serial: 7),
        LaneRequest(.phonemes(""), language: nil, voices: [], rate: 1, pitch: 1, wants: [], serial: .max),
        {
            var request = LaneRequest(.text(""), voices: [], wants: .phoneme)
            request.wantsOnlyEvents = true
            return request
        }(),
    ]

    static let laneReplies: [LaneReply] = [
        .begin(serial: 1, sampleRate: 24_000, channels: 2), .audio(serial: 2, [0, -1, 1, 0.5]), .audio(serial: 2, []),
        .event(serial: 3, SpeechEvent(kind: .phoneme, frame: 9, frameCount: 0, text: 3..<5, label: "ə")),
        .event(serial: 3, SpeechEvent(kind: .word, frame: .max, frameCount: .max, text: 0..<0)),
        .end(serial: 4, frameCount: 10, .done), .end(serial: 4, frameCount: 0, .cancelled),
        .end(serial: 4, frameCount: 1, .failed(error)),
    ]

    static let descriptions: [EngineDescription] = [
        EngineDescription(id: "a", name: "A", version: "1", license: "MIT"),
        EngineDescription(
            id: "kokoro-82m", name: "Kokoro", version: "2.0", license: "Apache-2.0", url: "https://example.org",
            capabilities: [.blends, .deterministic], maxLanes: 3, rate: 0.5...2, pitch: 0.25...4,
            roles: [RoleDescription(name: "weights", isOfVoice: true, isOptional: false, isFolder: true)],
            voices: [
                VoiceDescription(
                    id: "af_heart", name: "Heart", language: "en-US", accent: "American", gender: .female,
                    license: "MIT", model: "kokoro", speakers: ["one", "two"],
                    sources: [SourceDescription(role: "weights", url: "https://x", sha256: "00", size: .max)]),
                VoiceDescription(id: "b", name: "B", language: "de", speakers: ["one", "two"]),
                VoiceDescription(id: "c", name: "C", language: "de"),
            ],
            variables: ["ESPEAK_DATA", "_B1"]),
    ]

    static let inputs: [RecognitionInput] = [
        .begin(
            RecognitionJob(
                language: "de", hints: RecognitionJobHints(.choice, context: "Räume", phrases: ["Küche", ""]),
                wants: [.partials, .words, .speechEvents], isLive: true, isTranslated: true, serial: 7)),
        .begin(RecognitionJob()), .sound(serial: 7, [0, -1, 0.5]), .sound(serial: .max, []), .soundEnds(serial: 7),
    ]

    private static let guessed: RecognizedText = {
        var text = RecognizedText("Oh", frames: 1..<2)
        (text.origin.quietProbability, text.origin.repetition, text.origin.temperature) = (0.25, 1.5, 0.8)
        return text
    }()

    private static let mistake: RecognizedText = {
        var text = RecognizedText("Thank you.", isFinal: false, stable: 0, frames: 1..<2)
        text.leftOut = .nobodySpeaks
        return text
    }()

    static let heard: [RecognitionReply] = [
        .reads(serial: 7, frame: 9), .waits(serial: 7, frame: .max), .progress(serial: 7, 0.5),
        .progress(serial: 7, nil),
        .speech(serial: 7, begins: true, frame: 9), .speech(serial: 7, begins: false, frame: 0),
        .text(
            serial: 7,
            RecognizedText(
                "Größe ja", isFinal: false, stable: 7, frames: 5..<90, language: "de",
                words: [
                    RecognizedWord(text: 0..<7, frames: 5..<40, confidence: 1),
                    RecognizedWord(text: 8..<10, frames: 50..<90),
                ],
                confidence: 0.25, choice: 3)),
        .text(serial: 7, guessed), .text(serial: 7, mistake), .text(serial: 7, RecognizedText("", frames: 0..<0)),
        .end(serial: 7, .done),
        .end(serial: 7, .cancelled),
        .end(serial: 7, .failed(error)),
    ]

    static let recognizers: [RecognizerDescription] = [
        RecognizerDescription(id: "a", name: "A", version: "1", license: "MIT", sampleRate: 8000),
        RecognizerDescription(
            id: "whisper", name: "Whisper", version: "2.0", license: "MIT", url: "https://example.org",
            capabilities: [.transcribes, .detectsLanguage], maxLanes: 2, sampleRate: 16_000, longest: 30,
            roles: [RoleDescription(name: "encoder", isOfVoice: false, isOptional: false, isFolder: false)],
            models: [
                RecognizerModel(
                    id: "base", name: "Base", capabilities: .transcribes, license: "MIT", languages: ["en", "de"],
                    sources: [SourceDescription(role: "encoder", url: "https://x", sha256: "00", size: .max)]),
                RecognizerModel(id: "vad", name: "Detector", capabilities: .detectsSpeech),
            ],
            variables: ["_B1"], needs: [EngineNeed(.network, reason: "It asks a server.")]),
    ]

    static var all: [(form: FrameForm, bytes: [UInt8])] {
        requests.map { (.controlRequest, $0.frameBytes) } + replies.map { (.controlReply, $0.frameBytes) }
            + laneRequests.map { (.laneRequest, $0.frameBytes) } + laneReplies.map { (.laneReply, $0.frameBytes) }
            + descriptions.map { (.engineDescription, $0.frameBytes) }
            + inputs.map { (.hearingInput, $0.frameBytes) } + heard.map { (.hearingReply, $0.frameBytes) }
            + recognizers.map { (.recognizerDescription, $0.frameBytes) }
    }
}
