import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// An engine with a loaded model, an open lane and a voice.
final class Session: Trial {
    let subject: Subject
    let engine: LoadedEngine
    let choice: PluginChoice
    let model: ProbedModel<LoadedTable>
    let lane: ProbedSpeakingLane
    private var serial: UInt64 = 0

    static let sentence = "Hello, this is a test of the voice. One, two, three, four."

    convenience init(_ subject: Subject) throws { try self.init(subject, try subject.engine()) }

    /// - Parameter engine: the engine, loaded once per process.
    init(_ subject: Subject, _ engine: LoadedEngine) throws {
        self.subject = subject
        self.engine = engine
        choice = try engine.choice()
        model = try engine.load(choice)
        lane = try model.open()
    }

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
        let error = ErrorProbe()
        let start = ContinuousClock.now
        let status = lane.speak(request, to: sink, error)
        return SpeechResult(
            status: status, words: error.words(status), message: error.message ?? "", role: error.role, sink: sink,
            start: start, end: .now)
    }

    /// Speaks the text. Throws if the engine returns an error.
    @discardableResult
    func speakWhole(_ text: String = sentence, _ why: String = "") throws -> SpeechResult {
        let spoken = speak(request(text))
        guard spoken.status == SYNTH_OK, spoken.sink.frameCount > 0 else {
            let words = spoken.status == SYNTH_OK ? "no audio" : spoken.words
            throw CheckFinding.failed("A plain sentence\(why) returned \(words).")
        }
        return spoken
    }

    func work(_ why: String) throws { try speakWhole(Self.sentence, why) }

    func close() {
        lane.close()
        model.unload()
    }

    /// Returns the text, shortened to one line.
    static func quote(_ text: SpokenText) -> String {
        let words = text.content
        var quoted = ""
        for scalar in words.unicodeScalars.prefix(60) { quoted += scalar.escaped(asASCII: false) }
        return "\"\(quoted)\(words.unicodeScalars.count > 60 ? "…" : "")\" (\(words.utf8.count) bytes)"
    }
}

struct SpeechResult {
    var status: synth_status
    /// The status and the message as text for a finding.
    var words: String
    var message: String
    var role: String?
    var sink: RecordingSink
    var start: ContinuousClock.Instant
    var end: ContinuousClock.Instant
}
