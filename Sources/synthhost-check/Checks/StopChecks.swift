import CSynthEngine
import Glibc
import Synchronization
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

enum StopChecks {
    static func sinkFalse(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let whole = try session.speakWhole().sink
        var kinds: [(RecordingSink.Call, String)] = [(.begin, "begin"), (.audio, "audio")]
        if session.engine.can(SYNTH_CAN_TIME_WORDS) { kinds.append((.event, "event")) }
        for (kind, name) in kinds {
            for occurrence in [1, 2] {
                var seen = 0
                let spoken = session.speak(session.request(wants: [.word, .sentence])) { _, call in
                    if call == kind { seen += 1 }
                    return call != kind || seen < occurrence
                }
                // A request may make too few calls of this type to be stopped: for example, an engine calls `begin` only once, and may pass
                // all audio in one call.
                guard spoken.sink.isStopped else { continue }
                guard spoken.sink.callsAfterStop == 0 else {
                    let calls = spoken.sink.callsAfterStop
                    return .failed("After \(name) returned false, the engine made \(calls) more calls to the sink.")
                }
                guard spoken.status == SYNTH_CANCELLED else {
                    return .failed(
                        "After \(name) returned false, the engine returned \(spoken.words) instead of CANCELLED.")
                }
                try expectWhole(session, like: whole, "after \(name) returned false")
            }
        }
        session.close()
        return .passed("It stops immediately, and the next request is complete.")
    }

    static func cancel(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        guard session.lane.canCancel else {
            return .skipped("It has no cancel function; it stops when its sink returns false.")
        }
        let whole = try session.speakWhole()

        let before = session.request()
        session.lane.cancel(before.serial)
        let stopped = session.speak(before)
        guard stopped.status == SYNTH_CANCELLED else {
            return .failed("A request that was cancelled before it started returned \(stopped.words).")
        }
        try expectWhole(session, like: whole.sink, "after a request that was cancelled before it started")

        let earlier = session.request()
        var calls = 0
        let unharmed = session.speak(earlier) { _, _ in
            calls += 1
            if calls == 2 { session.lane.cancel(earlier.serial - 1) }
            return true
        }
        guard unharmed.status == SYNTH_OK, unharmed.sink.frameCount > 0 else {
            return .failed("Canceling an earlier request stopped the current one, which returned \(unharmed.words).")
        }
        session.lane.cancel(earlier.serial)
        try expectWhole(session, like: whole.sink, "after a call to cancel that came too late")

        var tries = 0
        let time = (whole.end - whole.start).milliseconds
        var generator = ProbeGenerator(seed: 7)
        let deadline = ContinuousClock.now + .seconds(6)
        while tries < 200, tries < 2 || .now < deadline {
            tries += 1
            let request = session.request()
            if tries.isMultiple(of: 2) {
                try cancelInside(session, request, at: Int.random(in: 1...max(1, whole.sink.calls), using: &generator))
            } else {
                cancelAtRandom(
                    session, request, after: .microseconds(Int.random(in: 0...Int(time * 1200) + 1, using: &generator)))
            }
            try expectWhole(session, like: whole.sink, "after a call to cancel, in attempt \(tries),")
        }
        session.close()
        return .passed(
            "In \(tries) of \(tries) attempts, it stopped, and the next request was complete.",
            [Measurement("tries", Double(tries))])
    }

    /// Cancels from another thread during a sink call. The sink returns true, so only the cancellation can stop the engine.
    private static func cancelInside(_ session: Session, _ request: LaneRequest, at call: Int) throws {
        let lane = session.lane
        var calls = 0
        var framesAtCancel: UInt64 = 0
        let spoken = session.speak(request, keepsSamples: false) { sink, _ in
            calls += 1
            if calls == call {
                onOtherThread { lane.cancel(request.serial) }
                framesAtCancel = sink.frameCount
            }
            return true
        }
        // A cancellation during the last call has no effect.
        if spoken.status == SYNTH_CANCELLED || calls <= call { return }
        let rest = spoken.sink.frameCount - framesAtCancel
        let rate = UInt64(spoken.sink.begins.first?.sampleRate ?? 22_050)
        if rest > rate / 2 {
            throw CheckFinding.failed(
                "It produced another \((Double(rest) / Double(rate)).short) s of audio after a call to cancel.")
        }
    }

    private static func cancelAtRandom(_ session: Session, _ request: LaneRequest, after wait: Duration) {
        let lane = session.lane
        let done = Monitor(false)
        let isStarted = startThread("canceller") {
            pause(wait)
            lane.cancel(request.serial)
            done.update { $0 = true }
        }
        _ = session.speak(request, keepsSamples: false)
        if isStarted { _ = done.wait { $0 ? true : nil } }
    }

    static func cancelTime(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let first = try session.speakWhole()
        let wait = first.sink.firstAudio.map { ($0 - first.start).milliseconds } ?? 0
        let text = String(repeating: Session.sentence + " ", count: 10)
        var times: [Double] = []
        var generator = ProbeGenerator(seed: 11)
        let deadline = ContinuousClock.now + .seconds(5)
        for attempt in 0..<30 where attempt == 0 || .now < deadline {
            let time =
                try attempt.isMultiple(of: 2)
                ? cancelBlocked(session, text, call: Int.random(in: 1...20, using: &generator))
                : cancelRunning(
                    session, text, after: .microseconds(Int.random(in: 0...Int(wait * 1200) + 100, using: &generator)))
            if let time { times.append(time) }
        }
        session.close()
        return finding(ofCancels: times)
    }

    /// - Parameter times: the times from cancellation to return, in milliseconds.
    static func finding(ofCancels times: [Double]) -> CheckFinding {
        let (median, most, worst) = (times.percentile(0.5), times.percentile(0.9), times.percentile(0.99))
        let measured = [Measurement("cancel p50", median, "ms"), Measurement("cancel p99", worst, "ms")]
        let words =
            "It returned \(median.short) ms after a call to cancel (median of \(times.count) attempts), \(worst.short) ms in the worst case"
        // If one thread starts late on a busy machine, the engine is not at fault.
        if most > 500 { return .failed("\(words); the limit is 500 ms.", measured) }
        return most > 50 ? .warning("\(words); the target is 50 ms.", measured) : .passed("\(words).", measured)
    }

    /// Cancels while the sink blocks the engine like a slow reader. After the cancellation, the sink returns false.
    private static func cancelBlocked(_ session: Session, _ text: String, call: Int) throws -> Double {
        let request = session.request(text)
        let lane = session.lane
        var calls = 0
        var cancelled: ContinuousClock.Instant?
        let spoken = session.speak(request, keepsSamples: false) { _, _ in
            calls += 1
            guard calls >= call else { return true }
            onOtherThread { lane.cancel(request.serial) }
            cancelled = .now
            return false
        }
        return cancelled.map { (spoken.end - $0).milliseconds } ?? 0
    }

    /// Cancels while the engine computes. Returns nil if the system cannot create a thread.
    private static func cancelRunning(
        _ session: Session, _ text: String, after wait: Duration
    ) throws -> Double? {
        let request = session.request(text)
        let lane = session.lane
        let cancel = Monitor<(at: ContinuousClock.Instant?, isOver: Bool)>((nil, false))
        let isStarted = startThread("canceller") {
            pause(wait)
            cancel.update { $0.at = .now }
            lane.cancel(request.serial)
            cancel.update { $0.isOver = true }
        }
        let spoken = session.speak(request, keepsSamples: false) { _, _ in cancel.read { $0.at } == nil }
        guard isStarted else { return nil }
        // Wait until the cancellation has ended, because the lane may be closed next and must not be closed during a cancellation.
        let at = cancel.wait { $0.isOver ? $0.at : nil }
        return at.map { max(0, (spoken.end - $0).milliseconds) } ?? 0
    }

    /// Checks that the next request is complete and unaffected by the stop.
    private static func expectWhole(
        _ session: Session, like whole: RecordingSink, _ when: String
    ) throws {
        let next = session.speak(session.request())
        guard next.status == SYNTH_OK else { throw CheckFinding.failed("The request \(when) returned \(next.words).") }
        let (frames, expected) = (Double(next.sink.frameCount), Double(whole.frameCount))
        // Some engines vary the duration, even if the text is the same.
        guard (0.6 * expected...1.6 * expected).contains(frames) else {
            throw CheckFinding.failed(
                "The request \(when) returned \(next.sink.frameCount) frames instead of \(whole.frameCount).")
        }
    }

    static func onOtherThread(_ body: @escaping @Sendable () -> Void) {
        let done = Monitor(false)
        let isStarted = startThread("canceller") {
            body()
            done.update { $0 = true }
        }
        if isStarted { _ = done.wait { $0 ? true : nil } }
    }

    static func pause(_ duration: Duration) {
        var time = timespec(
            tv_sec: Int(duration.components.seconds), tv_nsec: Int(duration.components.attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
