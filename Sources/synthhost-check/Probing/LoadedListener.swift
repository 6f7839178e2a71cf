import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// A recognizer with a validated table.
struct LoadedListener: Plugin {
    let table: LoadedRecognizer
    let subject: Subject

    init(_ table: LoadedRecognizer, _ subject: Subject) {
        self.table = table
        self.subject = subject
    }

    /// Whether the chosen model has a capability. If the recognizer does not declare the model, checks the recognizer's own capabilities.
    func can(_ capability: synth_recognizer_capability, as choice: PluginChoice) -> Bool {
        let model = models().first { known($0.id) == choice.model }
        return (model?.capabilities ?? table.recognizer.capabilities) & capability.rawValue != 0
    }

    func models() -> [synth_recognizer_model] {
        list(table.recognizer.model, most: 1000) { synth_recognizer_model_known($0) }
    }
    func items() -> [PluginItem] { models().map { PluginItem($0) } }

    /// Returns the first language that a model declares, or nil if it declares none.
    func language(of choice: PluginChoice) -> String? {
        guard let model = models().first(where: { known($0.id) == choice.model }), model.language_count > 0 else {
            return nil
        }
        return model.languages.flatMap { known($0[0]) }
    }

    var rate: Int { table.rate }

    func trial() throws -> any Trial { try RecognitionSession(subject, self) }

    func tryOut(_ choice: PluginChoice) throws -> TableAnswer {
        let model = try load(choice)
        let lane = try model.open()
        let error = ErrorProbe()
        subject.step("transcribing with this file")
        let record = RecognitionRecord(ProbeSound.three(rate))
        let status = lane.listen(RecognitionJob(language: language(of: choice), serial: 1), record, error)
        lane.close()
        model.unload()
        return TableAnswer(status, error)
    }
}

extension LoadedRecognizer {
    /// The sample rate in hertz. An invalid rate is clamped here; the check of the description fields reports it.
    var rate: Int { min(max(Int(recognizer.sample_rate), 8000), 48_000) }

    /// The maximum number of frames per request. The host truncates longer audio.
    var longestSound: Int { recognizer.max_seconds == 0 ? .max : Int(recognizer.max_seconds) * rate }
}

extension Subject {
    /// Returns the recognizer with its table. No model is loaded yet.
    func listener(host: UnsafePointer<synth_host> = ProbeHost.pointer) throws -> LoadedListener {
        let library = try library()
        step("synth_recognizer_entry ran")
        do {
            let answer = library.recognizer(abi: UInt32(SYNTH_RECOGNIZER_ABI), host: host)
            let listener = LoadedListener(try LoadedRecognizer(answer: answer), self)
            reportIdentity(listener.identity)
            return listener
        } catch {
            throw CheckFinding.skipped(error)
        }
    }
}

typealias ProbedListeningLane = ProbedLane<LoadedRecognizer>

extension ProbedListeningLane {
    /// Transcribes the record's audio. Returns when the recognizer returns.
    @discardableResult
    func listen(_ request: RecognitionJob, _ record: RecognitionRecord, _ error: borrowing ErrorProbe) -> synth_status {
        let arena = CallArena()
        record.cut(to: table.longestSound)
        return withExtendedLifetime((arena, record)) {
            var (sound, hearing) = (record.sound, record.hearing)
            record.begin(request)
            let status = recognize(arena.recognition(request), &sound, &hearing, error)
            record.end()
            return status
        }
    }

    /// Transcribes with structs that the caller supplies.
    func recognize(
        _ request: UnsafePointer<synth_recognition>?, _ sound: UnsafePointer<synth_sound>?,
        _ hearing: UnsafePointer<synth_hearing>?, _ error: borrowing ErrorProbe
    ) -> synth_status {
        table.recognize(pointer, request, sound, hearing, error.pointer)
    }
}
