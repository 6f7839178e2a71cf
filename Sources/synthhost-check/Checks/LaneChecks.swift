import CSynthEngine
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

enum LaneChecks {
    static func parallel(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let count = session.engine.laneCount
        guard count > 1 else { return .skipped("Its max_lanes is 1.") }
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
        var lanes: [SpeakingLane] = []
        for _ in 0..<count { lanes.append(try session.model.open()) }

        subject.doing("\(count) lanes spoke in parallel")
        let rounds = 3
        let answers = Monitor<[TableAnswer]>([])
        let meeting = Monitor(LaneMeeting(expected: count))
        let start = ContinuousClock.now
        for (number, lane) in lanes.enumerated() {
            let requests = (0..<rounds).map { round in
                var request = session.request(texts[number])
                request.serial = UInt64(round + 1)
                return request
            }
            let isRunning = startThread("lane-\(number)") {
                meeting.update { $0.running += 1 }
                for request in requests {
                    // The first call of each lane waits for the first calls of all other lanes, as if its reader was slow.
                    let sink = RecordingSink { sink, _ in
                        if sink.calls == 1, request.serial == 1 { LaneMeeting.wait(for: number, at: meeting) }
                        return true
                    }
                    let error = ErrorProbe()
                    let status = lane.speak(request, to: sink, error)
                    meeting.update { _ = $0.arrived.insert(number) }
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
        if meeting.read({ $0.isTooLate }) {
            return .failed(
                "A lane could not start while another lane waited for its reader. Lanes must run in parallel, or reduce max_lanes."
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
            "\(count) lanes spoke in parallel\(isRepeatable ? ", with the same samples as alone" : "").",
            [Measurement("lanes", Double(count)), Measurement("time for \(count * rounds) requests", time, "ms")])
    }

    private struct TableAnswer {
        var lane: Int
        var isSpoken: Bool
        var words: String
        var sound: [UInt32]
    }
}

/// A barrier where each lane waits for the others, in a host call or at its end.
struct LaneMeeting {
    let expected: Int
    var running = 0
    var arrived: Set<Int> = []
    var isTooLate = false

    init(expected: Int) { self.expected = expected }

    private static let timeLimit = Duration.seconds(15)

    static func wait(for lane: Int, at meeting: Monitor<LaneMeeting>) {
        meeting.update { _ = $0.arrived.insert(lane) }
        // On a busy machine, a late thread start is not the engine's fault.
        _ = meeting.wait { $0.running == $0.expected || $0.isTooLate ? true : nil }
        let met = meeting.wait(timeout: timeLimit) { $0.arrived.count == $0.expected || $0.isTooLate ? true : nil }
        if met == nil { meeting.update { $0.isTooLate = true } }
    }
}
