import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// Checks that lanes run in parallel.
enum LaneChecks {
    static func parallel(_ subject: Subject) throws -> CheckFinding {
        switch subject.job.kind {
        case .engine: try speaking(try Session(subject))
        case .recognizer: try transcribing(try RecognitionSession(subject))
        }
    }

    private static func speaking(_ session: Session) throws -> CheckFinding {
        let texts = (1...session.plugin.laneCount).map {
            "This is lane number \($0), which speaks in parallel with the others, \($0) times \($0)."
        }
        let requests = texts.map { session.request($0) }
        let wording = Wording(
            doing: "speaking", done: "spoke", awaited: "its reader", different: "returned different samples",
            same: "with the same samples")
        return try parallel(session, wording) {
            var isRepeatable = session.can(SYNTH_IS_DETERMINISTIC)
            let alone = try texts.map { text in
                let sink = try session.speakWhole(text).record
                if isRepeatable { isRepeatable = try session.speakWhole(text).record.soundsLike(sink) }
                return sink.sound
            }
            return (alone, isRepeatable)
        } run: { lane, number, serial, error, answer in
            var request = requests[number]
            request.serial = serial
            let sink = RecordingSink { sink, _ in answer(sink.calls) }
            return (lane.speak(request, to: sink, error), sink.sound)
        } isSilent: {
            $0.isEmpty
        }
    }

    private static func transcribing(_ session: RecognitionSession) throws -> CheckFinding {
        let sounds = (1...session.plugin.laneCount).map { ProbeSound.ofLane($0, session.rate) }
        let language = session.language
        let wording = Wording(
            doing: "transcribing", done: "transcribed", awaited: "audio", different: "recognized different text",
            same: "and recognized the same text")
        return try parallel(session, wording) {
            let alone = try sounds.map {
                try session.listenWhole(RecognitionRecord($0), session.request(wants: .words)).record.bareFinals
            }
            return (alone, session.can(SYNTH_RECOGNIZES_ALIKE))
        } run: { lane, number, serial, error, answer in
            let record = RecognitionRecord(sounds[number]) { record, _ in answer(record.calls) }
            let request = RecognitionJob(language: language, wants: .words, serial: serial)
            return (lane.listen(request, record, error), record.bareFinals)
        } isSilent: { _ in
            false
        }
    }

    /// - Parameters:
    ///   - alone: makes each lane's request on the only open lane. Returns the outputs and whether they are repeatable.
    ///   - run: makes a lane's request, passing the number of calls to a function that returns whether to continue.
    private static func parallel<Tried: Trial, Output: Equatable & Sendable>(
        _ trial: Tried, _ wording: Wording, alone: () throws -> ([Output], Bool),
        run:
            @escaping @Sendable (
                ProbedLane<Tried.Tested.Table>, Int, UInt64, borrowing ErrorProbe, @escaping (Int) -> Bool
            ) -> (synth_status, Output),
        isSilent: (Output) -> Bool
    ) throws -> CheckFinding {
        let count = trial.plugin.laneCount
        guard count > 1 else { return .skipped("Its max_lanes is 1, so lanes cannot run in parallel.") }
        let (alone, isRepeatable) = try alone()
        trial.lane.close()
        let lanes = try (0..<count).map { _ in try trial.model.open() }

        trial.subject.step("\(wording.doing) on \(count) lanes in parallel")
        let rounds = 3
        let answers = Monitor<[Answer<Output>]>([])
        let barrier = Monitor(LaneBarrier(expected: count))
        let start = ContinuousClock.now
        for (number, lane) in lanes.enumerated() {
            let isRunning = startThread("lane-\(number)") {
                barrier.update { $0.running += 1 }
                for serial in 1...UInt64(rounds) {
                    let error = ErrorProbe()
                    let (status, output) = run(lane, number, serial, error) { calls in
                        // On each lane, the first call waits for the first calls on all other lanes, as if the lane's
                        // reader or microphone were slow.
                        if calls == 1, serial == 1 { LaneBarrier.wait(for: number, at: barrier) }
                        return true
                    }
                    barrier.update { _ = $0.arrived.insert(number) }
                    let answer = Answer(
                        lane: number, isDone: status == SYNTH_OK, words: error.words(status), output: output)
                    answers.update { $0.append(answer) }
                }
            }
            guard isRunning else { return .skipped("The system does not allow another thread for a lane.") }
        }
        let all = answers.wait { $0.count == count * rounds ? $0 : nil } ?? []
        let time = (ContinuousClock.now - start).milliseconds
        for lane in lanes { lane.close() }
        trial.model.unload()
        if barrier.read({ $0.isTooLate }) {
            return .failed(
                "A lane could not start while another lane waited for \(wording.awaited). Run lanes in parallel, or reduce max_lanes."
            )
        }
        for answer in all {
            let which = "Running in parallel, lane \(answer.lane + 1)"
            guard answer.isDone else { return .failed("\(which) returned \(answer.words).") }
            guard !isRepeatable || answer.output == alone[answer.lane] else {
                return .failed("\(which) \(wording.different) than when it ran alone.")
            }
            guard !isSilent(answer.output) else { return .failed("\(which) was silent.") }
        }
        return .passed(
            "\(count) lanes \(wording.done) in parallel\(isRepeatable ? ", \(wording.same) as when running alone" : "").",
            [Measurement("lanes", Double(count)), Measurement("time for \(count * rounds) requests", time, "ms")])
    }

    /// The parts of messages that differ between engines and recognizers.
    private struct Wording {
        let doing, done, awaited, different, same: String
    }

    private struct Answer<Output: Sendable>: Sendable {
        var lane: Int
        var isDone: Bool
        var words: String
        var output: Output
    }
}

/// A barrier at which each lane waits for all other lanes. A lane arrives during its first host call, or when its
/// request has ended.
struct LaneBarrier {
    let expected: Int
    var running = 0
    var arrived: Set<Int> = []
    var isTooLate = false

    init(expected: Int) { self.expected = expected }

    private static let timeLimit = Duration.seconds(15)

    static func wait(for lane: Int, at barrier: Monitor<LaneBarrier>) {
        barrier.update { _ = $0.arrived.insert(lane) }
        // Wait for all threads to start, because a thread that starts late on a busy machine is not the engine's fault.
        _ = barrier.wait { $0.running == $0.expected || $0.isTooLate ? true : nil }
        let met = barrier.wait(timeout: timeLimit) { $0.arrived.count == $0.expected || $0.isTooLate ? true : nil }
        if met == nil { barrier.update { $0.isTooLate = true } }
    }
}
