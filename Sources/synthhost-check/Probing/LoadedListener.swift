import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// A recognizer with a validated table.
struct LoadedListener: Plugin {
    let table: LoadedTable<synth_recognizer>
    let subject: Subject

    /// Whether the chosen model has a capability. If the recognizer does not declare the model, checks the recognizer's
    /// own capabilities.
    func can(_ capability: synth_recognizer_capability, as choice: PluginChoice) -> Bool {
        let model = models().first { known($0.id) == choice.model }
        return (model?.capabilities ?? table.fields.capabilities) & capability.rawValue != 0
    }

    func models() -> [synth_recognizer_model] {
        list(table.fields.model, most: 1000) { synth_recognizer_model_known($0) }
    }
    func items() -> [PluginItem] { models().map { PluginItem($0) } }

    /// Returns the first language that a model declares, or nil if it declares none.
    func language(of choice: PluginChoice) -> String? {
        guard let model = models().first(where: { known($0.id) == choice.model }), model.language_count > 0 else {
            return nil
        }
        return model.languages.flatMap { known($0[0]) }
    }

    func trial() throws -> any Trial { try RecognitionSession(subject, self) }

    func tryOut(_ choice: PluginChoice, on lane: ProbedListeningLane, _ error: borrowing ErrorProbe) -> synth_status {
        subject.step("transcribing with this file")
        let record = RecognitionRecord(.three(table.rate))
        return lane.listen(RecognitionJob(language: language(of: choice), serial: 1), record, error)
    }
}

extension LoadedTable<synth_recognizer> {
    /// The sample rate in hertz. An invalid rate is clamped here; the check of the description fields reports it.
    var rate: Int { min(max(Int(fields.sample_rate), 8000), 48_000) }

    /// The maximum number of frames per request. The host truncates longer audio.
    var longestSound: Int { fields.max_seconds == 0 ? .max : Int(fields.max_seconds) * rate }
}

typealias ProbedListeningLane = ProbedLane<synth_recognizer>

extension ProbedListeningLane {
    /// Transcribes the record's audio. Returns when the recognizer returns.
    @discardableResult
    func listen(_ request: RecognitionJob, _ record: RecognitionRecord, _ error: borrowing ErrorProbe) -> synth_status {
        let arena = CallArena()
        return withExtendedLifetime(arena) { listen(arena.recognition(request), as: request, record, error) }
    }

    /// Transcribes the record's audio with a struct that the caller supplies.
    func listen(
        _ raw: UnsafePointer<synth_recognition>?, as request: RecognitionJob, _ record: RecognitionRecord,
        _ error: borrowing ErrorProbe
    ) -> synth_status {
        record.cut(to: table.longestSound)
        return withExtendedLifetime(record) {
            var (sound, hearing) = (record.sound, record.hearing)
            record.begin(request)
            defer { record.end() }
            return table.work(pointer, raw, &sound, &hearing, error.pointer)
        }
    }
}
