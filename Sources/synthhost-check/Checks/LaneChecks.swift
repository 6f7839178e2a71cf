import CSynthEngine
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

enum LaneChecks {
    static func parallel(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let count = session.engine.laneCount
        guard count > 1 else { return .skipped("Its max_lanes is 1, so lanes cannot run in parallel.") }
        let texts = (1...count).map {
            "This is lane number \($0), which speaks in parallel with the others, \($0) times \($0)."
        }
        var alone: [RecordingSink] = []
        var isRepeatable = session.engine.can(SYNTH_IS_DETERMINISTIC)
        for text in texts {
            let sink = try session.speakWhole(text).sink
            alone.append(sink)
            if isRepeatable { isRepeatable = try session.speakWhole(text).sink.soundsLike(sink) }
        }
        session.lane.close()
        var lanes: [ProbedSpeakingLane] = []
        for _ in 0..<count { lanes.append(try session.model.open()) }

        subject.step("speaking on \(count) lanes in parallel")
        let rounds = 3
        let answers = Monitor<[TableAnswer]>([])
        let barrier = Monitor(LaneBarrier(expected: count))
        let start = ContinuousClock.now
        for (number, lane) in lanes.enumerated() {
            let requests = (0..<rounds).map { round in
                var request = session.request(texts[number])
                request.serial = UInt64(round + 1)
                return request
            }
            let isRunning = startThread("lane-\(number)") {
                barrier.update { $0.running += 1 }
                for request in requests {
                    // The first sink call of each lane waits for the first sink calls of all other lanes, as if the lane's reader were
                    // slow.
                    let sink = RecordingSink { sink, _ in
                        if sink.calls == 1, request.serial == 1 { LaneBarrier.wait(for: number, at: barrier) }
                        return true
                    }
                    let error = ErrorProbe()
                    let status = lane.speak(request, to: sink, error)
                    barrier.update { _ = $0.arrived.insert(number) }
                    let answer = TableAnswer(
                        lane: number, isSpoken: status == SYNTH_OK, words: error.words(status), sound: sink.sound)
                    answers.update { $0.append(answer) }
                }
            }
            guard isRunning else { return .skipped("The system does not allow another thread for a lane.") }
        }
        let all = answers.wait { $0.count == count * rounds ? $0 : nil } ?? []
        let time = (ContinuousClock.now - start).milliseconds
        for lane in lanes { lane.close() }
        session.model.unload()
        if barrier.read({ $0.isTooLate }) {
            return .failed(
                "A lane could not start while another lane waited for its reader. Run lanes in parallel, or reduce max_lanes."
            )
        }
        for answer in all {
            let which = "Running in parallel, lane \(answer.lane + 1)"
            guard answer.isSpoken else { return .failed("\(which) returned \(answer.words).") }
            guard !isRepeatable || answer.sound == alone[answer.lane].sound else {
                return .failed("\(which) returned different samples than when it ran alone.")
            }
            guard !answer.sound.isEmpty else { return .failed("\(which) was silent.") }
        }
        return .passed(
            "\(count) lanes spoke in parallel\(isRepeatable ? ", with the same samples as when running alone" : "").",
            [Measurement("lanes", Double(count)), Measurement("time for \(count * rounds) requests", time, "ms")])
    }

    private struct TableAnswer {
        var lane: Int
        var isSpoken: Bool
        var words: String
        var sound: [UInt32]
    }
}

/// A barrier at which each lane waits for all other lanes, either in a host call or after its request has ended.
struct LaneBarrier {
    let expected: Int
    var running = 0
    var arrived: Set<Int> = []
    var isTooLate = false

    init(expected: Int) { self.expected = expected }

    private static let timeLimit = Duration.seconds(15)

    static func wait(for lane: Int, at barrier: Monitor<LaneBarrier>) {
        barrier.update { _ = $0.arrived.insert(lane) }
        // If a thread starts late on a busy machine, the engine is not at fault.
        _ = barrier.wait { $0.running == $0.expected || $0.isTooLate ? true : nil }
        let met = barrier.wait(timeout: timeLimit) { $0.arrived.count == $0.expected || $0.isTooLate ? true : nil }
        if met == nil { barrier.update { $0.isTooLate = true } }
    }
}
