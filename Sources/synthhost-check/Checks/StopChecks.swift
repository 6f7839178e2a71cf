import CSynthEngine
import Glibc
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// Checks that a plugin stops when a host function returns false or `cancel` is called, and that the next request runs
/// to completion.
enum StopChecks {
    static func sinkFalse(_ subject: Subject) throws -> CheckFinding {
        if subject.job.kind == .recognizer {
            let session = try RecognitionSession(subject)
            let tried = try attemptsToStop(session, [.text, .event, .progress], "recognizer", "host")
            guard tried > 0 else { return .skipped("It made no calls to the host, so it could not be stopped.") }
            return .passed(
                "In \(tried) of \(tried) attempts, it stopped immediately, and the next request was complete.")
        }
        let session = try Session(subject)
        _ = try attemptsToStop(
            session, [.begin, .audio] + (session.can(SYNTH_CAN_TIME_WORDS) ? [.event] : []), "engine", "sink")
        return .passed("It stops immediately, and the next request completes normally.")
    }

    /// Stops requests at the first and second call of each function. Returns the number of requests that were stopped.
    private static func attemptsToStop<Tried: Trial>(
        _ trial: Tried, _ stopping: [Tried.Record.Call], _ plugin: String, _ called: String
    ) throws -> Int {
        let whole = try trial.whole("").record
        var tried = 0
        for name in stopping.map(\.rawValue) {
            for occurrence in [1, 2] {
                var seen = 0
                let result = trial.run(trial.fullRequest()) { _, call in
                    if call.rawValue == name { seen += 1 }
                    return call.rawValue != name || seen < occurrence
                }
                // A request may make too few calls of this type to be stopped. For example, an engine calls `begin`
                // only once and may pass all audio in one call.
                guard result.record.isStopped else { continue }
                tried += 1
                guard result.record.callsAfterStop == 0 else {
                    let calls = result.record.callsAfterStop
                    throw CheckFinding.failed(
                        "After \(name) returned false, the \(plugin) made \(calls) more calls to the \(called).")
                }
                guard result.status == SYNTH_CANCELLED else {
                    throw CheckFinding.failed(
                        "After \(name) returned false, the \(plugin) returned \(result.words) instead of CANCELLED.")
                }
                try trial.expectWhole(like: whole, "after \(name) returned false")
            }
        }
        trial.close()
        return tried
    }

    // MARK: - cancel

    static func cancel(_ subject: Subject) throws -> CheckFinding {
        switch subject.job.kind {
        case .engine:
            try cancel(try Session(subject), most: 200, "its sink", calls: \.calls) { session, request, wait in
                let (lane, done) = (session.lane, Monitor(false))
                let isStarted = startThread("canceller") {
                    pause(wait)
                    lane.cancel(request.serial)
                    done.update { $0 = true }
                }
                _ = session.run(request) { _, _ in true }
                if isStarted { _ = done.wait { $0 ? true : nil } }
            }
        case .recognizer:
            try cancel(try RecognitionSession(subject), most: 100, "a host function", calls: { _ in 40 }) {
                session, request, wait in
                let sound = ProbeSound.three(session.rate)
                _ = timeToStop(session, request, after: wait) { listen(to: sound, session, request, $0) }
            }
        }
    }

    /// - Parameters:
    ///   - most: the maximum number of attempts.
    ///   - stopper: what stops a plugin that has no cancel function.
    ///   - calls: given a complete request, returns the maximum number of calls before a request is cancelled.
    ///   - cancelLater: runs a request and later cancels it from another thread.
    private static func cancel<Tried: Trial>(
        _ trial: Tried, most: Int, _ stopper: String, calls: (Tried.Record) -> Int,
        _ cancelLater: (Tried, Tried.Request, Duration) -> Void
    ) throws -> CheckFinding {
        let lane = trial.lane
        guard lane.canCancel else {
            return .skipped("It has no cancel function; it stops when \(stopper) returns false.")
        }
        let whole = try trial.whole("")

        let before = trial.fullRequest()
        lane.cancel(before.serial)
        let stopped = trial.run(before) { _, _ in true }
        guard stopped.status == SYNTH_CANCELLED else {
            return .failed("A request that was cancelled before it started returned \(stopped.words).")
        }
        try trial.expectWhole(like: whole.record, "after a request that was cancelled before it started")

        let earlier = trial.fullRequest()
        let unharmed = trial.run(earlier) { record, _ in
            if record.calls == 2 { lane.cancel(earlier.serial - 1) }
            return true
        }
        let hasSound = trial.seconds(of: unharmed.record) > 0 || trial.seconds(of: whole.record) == 0
        guard unharmed.status == SYNTH_OK, hasSound else {
            return .failed("Cancelling an earlier request stopped the current one, which returned \(unharmed.words).")
        }
        lane.cancel(earlier.serial)
        try trial.expectWhole(like: whole.record, "after a call to cancel that came too late")

        var tries = 0
        let time = (whole.end - whole.start).milliseconds
        var generator = ProbeGenerator(seed: 7)
        let deadline = ContinuousClock.now + .seconds(6)
        while tries < most, tries < 2 || .now < deadline {
            tries += 1
            let request = trial.fullRequest()
            if tries.isMultiple(of: 2) {
                let last = max(1, calls(whole.record))
                try cancelInside(trial, request, at: Int.random(in: 1...last, using: &generator))
            } else {
                cancelLater(
                    trial, request, .microseconds(Int.random(in: 0...Int(time * 1200) + 1, using: &generator)))
            }
            try trial.expectWhole(like: whole.record, "after a call to cancel, in attempt \(tries),")
        }
        trial.close()
        return .passed(
            "In \(tries) of \(tries) attempts, it stopped, and the next request was complete.",
            [Measurement("tries", Double(tries))])
    }

    /// Cancels from another thread during a host call. No call returns false, so only the cancellation can stop the
    /// plugin.
    private static func cancelInside<Tried: Trial>(_ trial: Tried, _ request: Tried.Request, at call: Int) throws {
        let lane = trial.lane
        var secondsAtCancel: Double?
        let result = trial.run(request) { record, _ in
            if record.calls == call {
                onOtherThread { lane.cancel(request.serial) }
                secondsAtCancel = trial.seconds(of: record)
            }
            return true
        }
        // A cancellation during the last call has no effect.
        guard result.status != SYNTH_CANCELLED, result.record.calls > call, let secondsAtCancel else { return }
        let rest = trial.seconds(of: result.record) - secondsAtCancel
        if rest > 0.5 {
            let verb = trial.subject.job.kind == .engine ? "produced" : "read"
            throw CheckFinding.failed("It \(verb) another \(rest.short) s of audio after a call to cancel.")
        }
    }

    static func cancelTime(_ subject: Subject) throws -> CheckFinding {
        switch subject.job.kind {
        case .engine:
            let session = try Session(subject)
            let first = try session.speakWhole()
            let wait = first.record.firstAudio.map { ($0 - first.start).milliseconds } ?? 0
            let text = String(repeating: Session.sentence + " ", count: 10)
            return cancelTime(session, longest: Int(wait * 1200) + 100) { attempt, later, generator in
                let request = session.request(text)
                return attempt.isMultiple(of: 2)
                    ? cancelBlocked(session, request, call: Int.random(in: 1...20, using: &generator))
                    : timeToStop(session, request, after: later(&generator)) { cancel in
                        session.run(request) { _, _ in cancel.read { $0.at } == nil }
                    }
            }
        case .recognizer:
            let session = try RecognitionSession(subject)
            let whole = try session.listenWhole()
            let sound = ProbeSound.long(10, session.rate)
            let longest = Int((whole.end - whole.start).milliseconds * 1500) + 100
            return cancelTime(session, longest: longest) { attempt, later, generator in
                var request = session.fullRequest()
                request.isLive = attempt.isMultiple(of: 2)
                let job = request
                return timeToStop(session, job, after: later(&generator)) { listen(to: sound, session, job, $0) }
            }
        }
    }

    /// - Parameters:
    ///   - longest: the maximum time from the start of a request to its cancellation, in microseconds.
    ///   - attempt: cancels a request and returns the number of milliseconds until the request returned, or nil if the
    ///     system cannot create a thread. Its parameters are the number of the attempt and a function that chooses when
    ///     to cancel.
    private static func cancelTime(
        _ trial: some Trial, longest: Int,
        _ attempt: (Int, (inout ProbeGenerator) -> Duration, inout ProbeGenerator) -> Double?
    ) -> CheckFinding {
        var times: [Double] = []
        var generator = ProbeGenerator(seed: 11)
        let deadline = ContinuousClock.now + .seconds(5)
        for number in 0..<30 where number == 0 || .now < deadline {
            let time = attempt(number, { .microseconds(Int.random(in: 0...longest, using: &$0)) }, &generator)
            if let time { times.append(time) }
        }
        trial.close()
        let (median, most, worst) = (times.percentile(0.5), times.percentile(0.9), times.percentile(0.99))
        let measured = [Measurement("cancel p50", median, "ms"), Measurement("cancel p99", worst, "ms")]
        let words =
            "It returned \(median.short) ms after a call to cancel (median of \(times.count) attempts), \(worst.short) ms in the worst case"
        // Use the 90th percentile, because a thread that starts late on a busy machine is not the plugin's fault.
        if most > 500 { return .failed("\(words); the limit is 500 ms.", measured) }
        return most > 50 ? .warning("\(words); the target is 50 ms.", measured) : .passed("\(words).", measured)
    }

    /// Cancels while the sink blocks the engine like a slow reader. After the cancellation, the sink returns false.
    private static func cancelBlocked(_ session: Session, _ request: LaneRequest, call: Int) -> Double {
        let lane = session.lane
        var cancelled: ContinuousClock.Instant?
        let spoken = session.run(request) { sink, _ in
            guard sink.calls >= call else { return true }
            onOtherThread { lane.cancel(request.serial) }
            cancelled = .now
            return false
        }
        return cancelled.map { (spoken.end - $0).milliseconds } ?? 0
    }

    /// The time at which a request was cancelled, and whether the call to `cancel` has returned.
    private typealias Cancellation = Monitor<(at: ContinuousClock.Instant?, isOver: Bool)>

    /// Runs a request and cancels it from another thread.
    ///
    /// - Parameter run: runs the request. The plugin is stopped as soon as the request is cancelled, as it would be by
    ///   the real host.
    /// - Returns: the time from cancellation to return in milliseconds, or nil if the system cannot create a thread.
    private static func timeToStop<Tried: Trial>(
        _ trial: Tried, _ request: Tried.Request, after wait: Duration,
        _ run: (Cancellation) -> CallResult<Tried.Record>
    ) -> Double? {
        let lane = trial.lane
        let cancel = Cancellation((nil, false))
        let isStarted = startThread("canceller") {
            pause(wait)
            cancel.update { $0.at = .now }
            lane.cancel(request.serial)
            cancel.update { $0.isOver = true }
        }
        guard isStarted else { return nil }
        let result = run(cancel)
        // Wait until the cancellation has ended, because the lane may be closed next and must not be closed during a
        // cancellation.
        let at = cancel.wait { $0.isOver ? $0.at : nil }
        return at.map { max(0, (result.end - $0).milliseconds) }
    }

    /// Transcribes audio. After a cancellation, reads end and other calls return false. If the request is live,
    /// simulates a microphone that delivers no more audio.
    private static func listen(
        to sound: ProbeSound, _ session: RecognitionSession, _ request: RecognitionJob, _ cancel: Cancellation
    ) -> RecognitionResult {
        let record = RecognitionRecord(sound, piece: session.rate / 50) { record, call in
            if request.isLive, call == .read, record.framesRead >= record.frameCount / 2 {
                _ = cancel.wait { $0.at != nil ? true : nil }
            }
            return cancel.read { $0.at } == nil
        }
        return session.listen(record, request)
    }

    private static func onOtherThread(_ body: @escaping @Sendable () -> Void) {
        let done = Monitor(false)
        let isStarted = startThread("canceller") {
            body()
            done.update { $0 = true }
        }
        if isStarted { _ = done.wait { $0 ? true : nil } }
    }

    private static func pause(_ duration: Duration) {
        var time = timespec(
            tv_sec: Int(duration.components.seconds), tv_nsec: Int(duration.components.attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
