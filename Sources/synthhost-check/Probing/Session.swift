import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// An engine with a loaded model, an open lane and a voice.
final class Session: Trial {
    let subject: Subject
    let plugin: LoadedEngine
    let choice: PluginChoice
    let model: ProbedModel<synth_engine>
    let lane: ProbedSpeakingLane
    private var serial: UInt64 = 0

    static let sentence = "Hello, this is a test of the voice. One, two, three, four."

    init(_ subject: Subject, _ plugin: LoadedEngine) throws {
        self.subject = subject
        self.plugin = plugin
        choice = try plugin.choice()
        model = try plugin.load(choice)
        lane = try model.open()
    }

    func can(_ capability: synth_capability) -> Bool { plugin.can(capability) }

    /// Returns a request with the next serial number.
    func request(
        _ text: String = sentence, rate: Float = 1, pitch: Float = 1, wants: EventKinds = []
    ) -> LaneRequest {
        serial += 1
        return LaneRequest(
            .text(text), language: nil,
            voices: [SynthEngineWire.VoiceUse(id: choice.id, files: choice.voiceFiles)], rate: rate, pitch: pitch,
            wants: wants, serial: serial)
    }

    func speak(
        _ request: LaneRequest, keepsSamples: Bool = true,
        answer: @escaping (RecordingSink, RecordingSink.Call) -> Bool = { _, _ in true }
    ) -> SpeechResult {
        subject.step("speaking \(Self.quote(request.text))")
        let sink = RecordingSink(keepsSamples: keepsSamples, answer: answer)
        return CallResult(sink) { error in lane.speak(request, to: sink, error) }
    }

    /// Speaks the text. Throws if the engine returns an error or no audio.
    @discardableResult
    func speakWhole(_ text: String = sentence, _ why: String = "") throws -> SpeechResult {
        let spoken = speak(request(text))
        guard spoken.status == SYNTH_OK, spoken.record.frameCount > 0 else {
            let words = spoken.status == SYNTH_OK ? "no audio" : spoken.words
            throw CheckFinding.failed("A plain sentence\(why) returned \(words).")
        }
        return spoken
    }

    func whole(_ why: String) throws -> SpeechResult { try speakWhole(Self.sentence, why) }

    func fullRequest() -> LaneRequest { request(wants: [.word, .sentence]) }

    func run(_ request: LaneRequest, answer: @escaping (RecordingSink, RecordingSink.Call) -> Bool) -> SpeechResult {
        speak(request, keepsSamples: false, answer: answer)
    }

    func seconds(of record: RecordingSink) -> Double { record.seconds }

    func expectWhole(like whole: RecordingSink, _ when: String) throws {
        let next = speak(request())
        guard next.status == SYNTH_OK else { throw CheckFinding.failed("The request \(when) returned \(next.words).") }
        let (frames, expected) = (Double(next.record.frameCount), Double(whole.frameCount))
        // Some engines vary the duration, even if the text is the same.
        guard (0.6 * expected...1.6 * expected).contains(frames) else {
            throw CheckFinding.failed(
                "The request \(when) returned \(next.record.frameCount) frames instead of \(whole.frameCount).")
        }
    }

    /// Returns the text in quotation marks, shortened to one line, and its size in bytes.
    static func quote(_ text: SpokenText) -> String {
        let words = text.content
        var quoted = ""
        for scalar in words.unicodeScalars.prefix(60) { quoted += scalar.escaped(asASCII: false) }
        return "\"\(quoted)\(words.unicodeScalars.count > 60 ? "…" : "")\" (\(words.utf8.count) bytes)"
    }
}

typealias SpeechResult = CallResult<RecordingSink>
