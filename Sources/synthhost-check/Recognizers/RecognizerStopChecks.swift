import CSynthEngine
import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

enum RecognizerStopChecks {
    private static func name(_ call: RecognitionRecord.Call) -> String {
        switch call {
        case .read: "read"
        case .text: "text"
        case .event: "event"
        case .progress: "progress"
        }
    }

    static func sinkFalse(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let whole = try session.listenWhole().record
        var tried = 0
        for kind in [RecognitionRecord.Call.text, .event, .progress] {
            for occurrence in [1, 2] {
                var seen = 0
                let record = RecognitionRecord(.three(session.rate), piece: session.rate / 100) { _, call in
                    if call == kind { seen += 1 }
                    return call != kind || seen < occurrence
                }
                let result = session.listen(record, session.request(wants: .everything))
                // A request may make too few calls of this type to be stopped.
                guard record.isStopped else { continue }
                tried += 1
                guard record.callsAfterStop == 0 else {
                    let calls = record.callsAfterStop
                    return .failed(
                        "After \(name(kind)) returned false, the recognizer made \(calls) more calls to the host.")
                }
                guard result.status == SYNTH_CANCELLED else {
                    return .failed(
                        "After \(name(kind)) returned false, the recognizer returned \(result.words) instead of CANCELLED."
                    )
                }
                try session.expectWhole(like: whole, "after \(name(kind)) returned false")
            }
        }
        session.close()
        guard tried > 0 else { return .skipped("It made no call, so nothing could stop it.") }
        return .passed("In \(tried) of \(tried) attempts, it stopped immediately, and the next request was complete.")
    }

    /// Checks that a recognizer notices a stop during a read. The read then returns 0, and the next call returns false.
    static func endThatIsAStop(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let whole = try session.listenWhole().record
        for position in [0.0, 0.6, 1.5, 2.9] {
            let most = Int(position * Double(session.rate))
            let record = RecognitionRecord(.three(session.rate), piece: session.rate / 50) { record, call in
                call != .read || record.framesRead < most
            }
            let result = session.listen(record, session.request(wants: .everything))
            // The recognizer may not have needed more audio.
            guard result.status != SYNTH_OK || record.isStopped || record.endWasAStop else { continue }
            guard record.isStopped || result.status != SYNTH_OK else {
                return .warning(
                    "The host stopped the request during a read, but the recognizer returned OK. After a read that returns 0, call progress, "
                        + "which returns false if the request was stopped.")
            }
            guard result.status == SYNTH_CANCELLED else {
                return .failed(
                    "After a read that returned 0 because the request was stopped, the recognizer returned \(result.words) instead of CANCELLED."
                )
            }
            try session.expectWhole(like: whole, "after a read that returned 0, and a call that returned false")
        }
        session.close()
        return .passed("It checks whether the request was stopped, and the next request is complete.")
    }

    static func afterwards(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        var records: [RecognitionRecord] = []
        for stops in [false, true, false] {
            let record = RecognitionRecord(.three(session.rate), piece: session.rate / 50) { record, _ in
                !stops || record.framesRead < session.rate
            }
            _ = session.listen(record, session.request(wants: .everything))
            records.append(record)
            // Give the recognizer's threads time to make a stray call.
            var time = timespec(tv_sec: 0, tv_nsec: 100_000_000)
            nanosleep(&time, nil)
        }
        let strays = records.reduce(0) { $0 + $1.strayCalls }
        guard strays == 0 else {
            return .failed("It made \(strays) calls to the host after recognize had returned, or from another thread.")
        }
        session.close()
        return .passed("It makes no calls after recognize has returned.")
    }

    // MARK: - cancel

    static func cancel(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        guard session.lane.canCancel else {
            return .skipped("It has no cancel function; it stops when a host function returns false.")
        }
        let whole = try session.listenWhole()

        let before = session.request()
        session.lane.cancel(before.serial)
        let stopped = session.listen(RecognitionRecord(.three(session.rate)), before)
        guard stopped.status == SYNTH_CANCELLED else {
            return .failed("A request that was cancelled before it started returned \(stopped.words).")
        }
        try session.expectWhole(like: whole.record, "after a request that was cancelled before it started")

        let earlier = session.request()
        let unharmed = session.listen(
            RecognitionRecord(.three(session.rate), piece: session.rate / 10) { record, _ in
                if record.calls == 2 { session.lane.cancel(earlier.serial - 1) }
                return true
            }, earlier)
        guard unharmed.status == SYNTH_OK else {
            return .failed("Canceling an earlier request stopped the current one, which returned \(unharmed.words).")
        }
        session.lane.cancel(earlier.serial)
        try session.expectWhole(like: whole.record, "after a call to cancel that came too late")

        var tries = 0
        let time = (whole.end - whole.start).milliseconds
        var generator = ProbeGenerator(seed: 7)
        let deadline = ContinuousClock.now + .seconds(6)
        while tries < 100, tries < 2 || .now < deadline {
            tries += 1
            let request = session.request(wants: .everything)
            if tries.isMultiple(of: 2) {
                try cancelInside(session, request, at: Int.random(in: 1...40, using: &generator))
            } else {
                let wait = Duration.microseconds(Int.random(in: 0...Int(time * 1200) + 1, using: &generator))
                cancelWhileRunning(session, request, after: wait)
            }
            try session.expectWhole(like: whole.record, "after a call to cancel, in attempt \(tries),")
        }
        session.close()
        return .passed(
            "In \(tries) of \(tries) attempts, it stopped, and the next request was complete.",
            [Measurement("tries", Double(tries))])
    }

    /// Cancels from another thread during a host call. No call returns false, so only the cancellation can stop the recognizer.
    private static func cancelInside(
        _ session: RecognitionSession, _ request: RecognitionJob, at call: Int
    ) throws {
        let lane = session.lane
        var framesAtCancel: Int?
        let record = RecognitionRecord(.three(session.rate), piece: session.rate / 50) { record, _ in
            if record.calls == call {
                onOtherThread { lane.cancel(request.serial) }
                framesAtCancel = record.framesRead
            }
            return true
        }
        let result = session.listen(record, request)
        guard result.status != SYNTH_CANCELLED, let framesAtCancel else { return }
        let rest = Double(record.framesRead - framesAtCancel) / Double(session.rate)
        if rest > 0.5 { throw CheckFinding.failed("It read another \(rest.short) s of audio after a call to cancel.") }
    }

    /// Cancels from another thread. Afterwards, reads end and other calls return false, as with the real host.
    ///
    /// - Returns: the time from cancellation to return in milliseconds, or nil if the system cannot create a thread.
    @discardableResult
    private static func cancelWhileRunning(
        _ session: RecognitionSession, _ request: RecognitionJob, after wait: Duration, sound: ProbeSound? = nil,
        endless: Bool = false
    ) -> Double? {
        let lane = session.lane
        let cancel = Monitor<(at: ContinuousClock.Instant?, isOver: Bool)>((nil, false))
        let sound = sound ?? .three(session.rate)
        let record = RecognitionRecord(sound, piece: session.rate / 50) { record, call in
            // Simulates a microphone that delivers no more audio.
            if endless, call == .read, record.framesRead >= record.frameCount / 2 {
                _ = cancel.wait { $0.at != nil ? true : nil }
            }
            return cancel.read { $0.at } == nil
        }
        let isStarted = startThread("canceller") {
            pause(wait)
            cancel.update { $0.at = .now }
            lane.cancel(request.serial)
            cancel.update { $0.isOver = true }
        }
        guard isStarted else { return nil }
        let result = session.listen(record, request)
        // Wait until the cancellation has ended, because the lane may be closed next and must not be closed during a cancellation.
        let at = cancel.wait { $0.isOver ? $0.at : nil }
        return at.map { max(0, (result.end - $0).milliseconds) }
    }

    static func cancelTime(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let whole = try session.listenWhole()
        let wait = (whole.end - whole.start).milliseconds
        let sound = ProbeSound.long(10, session.rate)
        var times: [Double] = []
        var generator = ProbeGenerator(seed: 11)
        let deadline = ContinuousClock.now + .seconds(5)
        for attempt in 0..<30 where attempt == 0 || .now < deadline {
            var request = session.request(wants: .everything)
            request.isLive = attempt.isMultiple(of: 2)
            let time = cancelWhileRunning(
                session, request, after: .microseconds(Int.random(in: 0...Int(wait * 1500) + 100, using: &generator)),
                sound: sound, endless: request.isLive)
            if let time { times.append(time) }
        }
        session.close()
        return StopChecks.finding(ofCancels: times)
    }

    private static func onOtherThread(_ body: @escaping @Sendable () -> Void) {
        StopChecks.onOtherThread(body)
    }

    private static func pause(_ duration: Duration) { StopChecks.pause(duration) }
}
