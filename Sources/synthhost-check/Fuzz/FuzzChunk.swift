import CSynthEngine
import EngineChecks
import EngineLoading
import EngineWire

/// Random requests on one engine. The same seed gives the same requests and stops.
struct FuzzChunk {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    private static let requestCount = 40
    private static let longest = Duration.seconds(3)

    func run(on subject: Subject) throws(CheckFinding) -> CheckFinding {
        let session = try Session(subject)
        let table = session.engine.table.engine
        var generator = SeededGenerator(seed: seed)
        var done = 0
        let deadline = ContinuousClock.now + Self.longest
        while done < Self.requestCount, .now < deadline {
            let text = FuzzText.make(using: &generator)
            // Limits of a range are as frequent as values inside it.
            let rate = Self.pick(table.rate_min, table.rate_max, using: &generator)
            let pitch = Self.pick(table.pitch_min, table.pitch_max, using: &generator)
            let wants = EventKinds(rawValue: UInt32.random(in: 0...7, using: &generator))
            let stopAt = Bool.random(using: &generator) ? Int.random(in: 1...30, using: &generator) : .max
            let way = Int.random(in: 0...2, using: &generator)
            let request = session.request(text, rate: rate, pitch: pitch, wants: wants)
            let lane = session.lane
            let spoken = session.speak(request) { sink, _ in
                // Long sounds only cost time.
                guard sink.calls >= stopAt || sink.seconds > 20 else { return true }
                if way > 0 { lane.cancel(request.serial) }
                return way == 2 && sink.seconds <= 25
            }
            try judge(spoken, request)
            done += 1
        }
        session.close()
        return .passed("Random requests: \(done).", [Measurement("requests", Double(done))])
    }

    private func judge(_ spoken: Spoken, _ request: LaneRequest) throws(CheckFinding) {
        let quote = "\(Session.quote(request.text)), rate \(request.rate), pitch \(request.pitch),"
        let sink = spoken.sink
        guard [SYNTH_OK, SYNTH_BAD_REQUEST, SYNTH_CANCELLED].contains(spoken.status) else {
            throw .failed("\(quote) gave \(spoken.words).")
        }
        guard sink.callsAfterStop == 0 else { throw .failed("\(quote) went on after the sink said stop.") }
        guard sink.callsBeforeBegin == 0, sink.begins.count <= 1 else { throw .failed("\(quote) began wrongly.") }
        let sum = sink.samples.withUnsafeBufferPointer { samples in
            var sum: Float = 0
            for sample in samples { sum += sample * 0 }
            return sum
        }
        guard sum == 0 else { throw .failed("\(quote) gave a sample that is not a number.") }
        guard case .text(let text) = request.text else { return }
        let bytes = Array(text.utf8)
        for event in sink.events {
            let (end, overflow) = event.textOffset.addingReportingOverflow(event.textLength)
            guard event.textOffset >= 0, event.textLength >= 0, !overflow, end <= bytes.count,
                [event.textOffset, end].allSatisfy({ $0 == bytes.count || bytes[$0] & 0xC0 != 0x80 }),
                event.frame >= event.framesBefore
            else { throw .failed("\(quote) reported an event at byte \(event.textOffset) that is wrong.") }
        }
    }

    private static func pick(_ low: Float, _ high: Float, using generator: inout SeededGenerator) -> Float {
        guard low < high else { return 1 }
        switch Int.random(in: 0...3, using: &generator) {
        case 0: return low
        case 1: return high
        default: return Float.random(in: low...high, using: &generator)
        }
    }
}
