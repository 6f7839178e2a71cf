import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// A recognizer with a loaded model and an open lane.
final class RecognitionSession: Trial {
    let subject: Subject
    let listener: LoadedListener
    let choice: PluginChoice
    let model: ProbedModel<LoadedRecognizer>
    let lane: ProbedListeningLane
    /// The model's language, or nil if it declares none.
    let language: String?
    private var serial: UInt64 = 0
    /// The latest records, kept alive for late calls.
    private var records: [RecognitionRecord] = []

    convenience init(_ subject: Subject) throws { try self.init(subject, try subject.listener()) }

    /// - Parameter listener: the recognizer, loaded once per process.
    init(_ subject: Subject, _ listener: LoadedListener) throws {
        self.subject = subject
        self.listener = listener
        choice = try listener.choice()
        language = listener.language(of: choice)
        model = try listener.load(choice)
        lane = try model.open()
    }

    var rate: Int { listener.rate }

    func can(_ capability: synth_recognizer_capability) -> Bool { listener.can(capability, as: choice) }

    /// Returns a request with the next serial number.
    func request(wants: RecognitionJob.Wants = [], hints: RecognitionJobHints = RecognitionJobHints()) -> RecognitionJob
    {
        serial += 1
        return RecognitionJob(language: language, hints: hints, wants: wants, serial: serial)
    }

    func listen(_ record: RecognitionRecord, _ request: RecognitionJob? = nil) -> RecognitionResult {
        let request = request ?? self.request()
        record.cut(to: listener.table.longestSound)
        subject.step("transcribing \(record.name)")
        records = records.suffix(7) + [record]
        let error = ErrorProbe()
        let start = ContinuousClock.now
        let status = lane.listen(request, record, error)
        return RecognitionResult(
            status: status, words: error.words(status), message: error.message ?? "", record: record, start: start,
            end: .now)
    }

    /// Transcribes with a request struct that the caller supplies.
    func hear(
        _ request: UnsafePointer<synth_recognition>, _ record: RecognitionRecord, _ error: borrowing ErrorProbe
    ) -> synth_status {
        records = records.suffix(7) + [record]
        record.cut(to: listener.table.longestSound)
        var (sound, hearing) = (record.sound, record.hearing)
        record.begin(self.request())
        defer { record.end() }
        return lane.recognize(request, &sound, &hearing, error)
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

    /// Whether the result matches another result for the same audio. Compares only what the recognizer guarantees to be the same.
    func isWhole(_ record: RecognitionRecord, like whole: RecognitionRecord) -> Bool {
        func texts(_ record: RecognitionRecord) -> [RecognizedText] {
            record.finals.map { RecognizedText($0.text, frames: $0.frames) }
        }
        return !can(SYNTH_RECOGNIZES_ALIKE) || texts(record) == texts(whole)
    }

    /// Checks that the next request is complete and unaffected by earlier ones.
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

    func work(_ why: String) throws { try listenWhole(nil, nil, why) }

    func close() {
        lane.close()
        model.unload()
    }
}

extension RecognitionJob.Wants {
    static let everything: RecognitionJob.Wants = [.partials, .words, .speechEvents]
}

struct RecognitionResult {
    var status: synth_status
    /// The status and the message as text for a finding.
    var words: String
    var message: String
    var record: RecognitionRecord
    var start: ContinuousClock.Instant
    var end: ContinuousClock.Instant
}
