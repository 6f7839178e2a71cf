import CSynthEngine
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

enum RecognizerLaneChecks {
    static func parallel(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let count = session.listener.laneCount
        guard count > 1 else { return .skipped("Its max_lanes is 1, so lanes cannot run in parallel.") }
        let sounds = (1...count).map { ProbeSound.ofLane($0, session.rate) }
        var alone: [RecognitionRecord] = []
        for sound in sounds {
            alone.append(try session.listenWhole(RecognitionRecord(sound), session.request(wants: .words)).record)
        }
        session.lane.close()
        var lanes: [ProbedListeningLane] = []
        for _ in 0..<count { lanes.append(try session.model.open()) }

        subject.step("transcribing on \(count) lanes in parallel")
        let rounds = 3
        let answers = Monitor<[TableAnswer]>([])
        let barrier = Monitor(LaneBarrier(expected: count))
        let language = session.language
        let start = ContinuousClock.now
        for (number, lane) in lanes.enumerated() {
            let sound = sounds[number]
            let isRunning = startThread("lane-\(number)") {
                barrier.update { $0.running += 1 }
                for serial in 1...UInt64(rounds) {
                    // The first read of each lane waits for the first reads of all other lanes, as if the lane's microphone were slow.
                    let record = RecognitionRecord(sound) { record, _ in
                        if record.calls == 1, serial == 1 { LaneBarrier.wait(for: number, at: barrier) }
                        return true
                    }
                    let error = ErrorProbe()
                    let request = RecognitionJob(language: language, wants: .words, serial: serial)
                    let status = lane.listen(request, record, error)
                    barrier.update { _ = $0.arrived.insert(number) }
                    let answer = TableAnswer(
                        lane: number, isHeard: status == SYNTH_OK, words: error.words(status), finals: record.bareFinals
                    )
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
                "A lane could not start while another lane waited for audio. Run lanes in parallel, or reduce max_lanes."
            )
        }
        let isAlike = session.can(SYNTH_RECOGNIZES_ALIKE)
        for answer in all {
            let which = "Running in parallel, lane \(answer.lane + 1)"
            guard answer.isHeard else { return .failed("\(which) returned \(answer.words).") }
            guard !isAlike || answer.finals == alone[answer.lane].bareFinals else {
                return .failed("\(which) recognized different text than when it ran alone.")
            }
        }
        return .passed(
            "\(count) lanes transcribed in parallel\(isAlike ? ", and recognized the same text as when running alone" : "").",
            [Measurement("lanes", Double(count)), Measurement("time for \(count * rounds) requests", time, "ms")])
    }

    private struct TableAnswer {
        var lane: Int
        var isHeard: Bool
        var words: String
        var finals: [RecognizedText]
    }
}
