import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// A recognizer with a loaded model and an open lane.
final class RecognitionSession: Trial {
    let subject: Subject
    let plugin: LoadedListener
    let choice: PluginChoice
    let model: ProbedModel<synth_recognizer>
    let lane: ProbedListeningLane
    /// The model's language, or nil if it declares none.
    let language: String?
    private var serial: UInt64 = 0
    /// The latest records, kept alive for late calls.
    private var records: [RecognitionRecord] = []

    init(_ subject: Subject, _ plugin: LoadedListener) throws {
        self.subject = subject
        self.plugin = plugin
        choice = try plugin.choice()
        language = plugin.language(of: choice)
        model = try plugin.load(choice)
        lane = try model.open()
    }

    var rate: Int { plugin.table.rate }

    func can(_ capability: synth_recognizer_capability) -> Bool { plugin.can(capability, as: choice) }

    /// Returns a request with the next serial number.
    func request(wants: RecognitionJob.Wants = [], hints: RecognitionJobHints = RecognitionJobHints()) -> RecognitionJob
    {
        serial += 1
        return RecognitionJob(language: language, hints: hints, wants: wants, serial: serial)
    }

    func listen(_ record: RecognitionRecord, _ request: RecognitionJob? = nil) -> RecognitionResult {
        let request = request ?? self.request()
        record.cut(to: plugin.table.longestSound)
        subject.step("transcribing \(record.name)")
        records = records.suffix(7) + [record]
        return CallResult(record) { error in lane.listen(request, record, error) }
    }

    /// Transcribes with a request struct that the caller supplies.
    func listen(_ record: RecognitionRecord, _ raw: UnsafePointer<synth_recognition>) -> RecognitionResult {
        records = records.suffix(7) + [record]
        return CallResult(record) { error in lane.listen(raw, as: request(), record, error) }
    }

    /// Transcribes audio. Throws if that fails.
    @discardableResult
    func listenWhole(
        _ record: RecognitionRecord? = nil, _ request: RecognitionJob? = nil, _ why: String = ""
    ) throws -> RecognitionResult {
        let record = record ?? RecognitionRecord(.three(rate))
        let result = listen(record, request)
        guard result.status == SYNTH_OK else {
            let name = record.name.prefix(1).uppercased() + record.name.dropFirst()
            throw CheckFinding.failed("\(name)\(why) returned \(result.words).")
        }
        return result
    }

    func whole(_ why: String) throws -> RecognitionResult { try listenWhole(nil, nil, why) }

    func fullRequest() -> RecognitionJob { request(wants: .everything) }

    func run(
        _ request: RecognitionJob, answer: @escaping (RecognitionRecord, RecognitionRecord.Call) -> Bool
    ) -> RecognitionResult {
        listen(RecognitionRecord(.three(rate), piece: rate / 50, answer: answer), request)
    }

    func seconds(of record: RecognitionRecord) -> Double { Double(record.framesRead) / Double(rate) }

    /// Whether the result matches another result for the same audio. Compares only what the recognizer guarantees to be
    /// the same.
    func isWhole(_ record: RecognitionRecord, like whole: RecognitionRecord) -> Bool {
        func texts(_ record: RecognitionRecord) -> [RecognizedText] {
            record.finals.map { RecognizedText($0.text, frames: $0.frames) }
        }
        return !can(SYNTH_RECOGNIZES_ALIKE) || texts(record) == texts(whole)
    }

    func expectWhole(like whole: RecognitionRecord, _ when: String) throws {
        let next = listen(RecognitionRecord(.three(rate)))
        guard next.status == SYNTH_OK else { throw CheckFinding.failed("The request \(when) returned \(next.words).") }
        guard isWhole(next.record, like: whole) else {
            throw CheckFinding.failed(
                "The request \(when) recognized \(Self.quote(next.record)), not \(Self.quote(whole)).")
        }
    }

    static func quote(_ record: RecognitionRecord) -> String {
        let texts = record.finals.map { "\"\($0.text.prefix(40))\"" }
        return texts.isEmpty ? "nothing" : texts.prefix(4).joined(separator: ", ")
    }
}

extension RecognitionJob.Wants {
    static let everything: RecognitionJob.Wants = [.partials, .words, .speechEvents]
}

typealias RecognitionResult = CallResult<RecognitionRecord>
