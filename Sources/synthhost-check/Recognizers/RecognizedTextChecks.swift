import CSynthEngine
import SynthEngineProcesses
import SynthEngineWire

enum RecognizedTextChecks {
    static func shortSound(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let result = session.listen(RecognitionRecord(.three(session.rate)))
        guard result.status == SYNTH_OK else { return .failed("It returned \(result.words).") }
        if let fault = result.record.faults[.reading] { return .failed("It \(fault).") }
        session.close()
        let time = (result.end - result.start).milliseconds / 1000
        let length = Double(result.record.framesRead) / Double(session.rate)
        var measured = [
            Measurement("sound", length, "s"), Measurement("real-time factor", length > 0 ? time / length : 0),
        ]
        if let first = result.record.firstText {
            measured.append(Measurement("first text", (first - result.start).milliseconds, "ms"))
        }
        return .passed(
            "It read \(length.short) s of audio in \(time.short) s and recognized \(RecognitionSession.quote(result.record)).",
            measured)
    }

    /// Returns a request for each task that produces text.
    private static func requests(_ session: RecognitionSession) -> [RecognitionJob] {
        var live = session.request(wants: .everything)
        live.isLive = true
        let phrases = ["yes", "no", "one"]
        return [
            session.request(wants: .everything), live,
            session.request(wants: .everything, hints: RecognitionJobHints(.number)),
            session.request(wants: .everything, hints: RecognitionJobHints(.choice, phrases: phrases)),
            session.request(hints: RecognitionJobHints(.text, context: "The previous text.", phrases: phrases)),
        ]
    }

    static func texts(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        var count = 0
        for request in requests(session) {
            let piece = request.isLive ? session.rate / 10 : .max
            let result = try session.listenWhole(RecognitionRecord(.three(session.rate), piece: piece), request)
            if let fault = result.record.faults[.text] { return .failed("It \(fault).") }
            count += result.record.texts.count
            guard session.can(SYNTH_CAN_TRANSCRIBE) || result.record.texts.allSatisfy(\.text.isEmpty) else {
                return .failed("It reports text but does not declare SYNTH_CAN_TRANSCRIBE.")
            }
        }
        session.close()
        return .passed("Texts: \(count). All were valid.", [Measurement("texts", Double(count))])
    }

    static func stableParts(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        guard session.can(SYNTH_CAN_GIVE_PARTIALS) else { return .skipped("It does not report partial text.") }
        var count = 0
        for isLive in [true, false] {
            var request = session.request(wants: .everything)
            request.isLive = isLive
            let record = RecognitionRecord(.three(session.rate), piece: session.rate / 50)
            try session.listenWhole(record, request)
            if let fault = record.faults[.stable] { return .failed("It \(fault).") }
            count += record.texts.count { !$0.isFinal }
        }
        session.close()
        return .passed("Partial texts: \(count); stable parts do not change.", [Measurement("partials", Double(count))])
    }

    static func events(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        guard session.can(SYNTH_CAN_DETECT_SPEECH) else { return .skipped("It does not detect speech.") }
        var request = session.request(wants: .speechEvents)
        request.isLive = true
        let piece = session.rate / 50
        let record = RecognitionRecord(.three(session.rate), piece: piece)
        try session.listenWhole(record, request)
        if let fault = record.faults[.event] { return .failed("It \(fault).") }
        session.close()
        let delay = Double(record.longestEventDelay) / Double(session.rate) * 1000
        let measured = [Measurement("events", Double(record.events.count)), Measurement("longest delay", delay, "ms")]
        let words = "Events: \(record.events.count), reported up to \(delay.short) ms late"
        return delay > 520 ? .warning("\(words); the limit is 500 ms.", measured) : .passed("\(words).", measured)
    }

    static func wants(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        var first: RecognitionRecord?
        for wants in [[], .everything, .partials, .words, .speechEvents] as [RecognitionJob.Wants] {
            let result = try session.listenWhole(nil, session.request(wants: wants), ", with some results requested,")
            guard let other = first else {
                first = result.record
                continue
            }
            guard !session.can(SYNTH_RECOGNIZES_ALIKE) || result.record.finals.map(\.text) == other.finals.map(\.text)
            else {
                return .failed(
                    "It recognized \(RecognitionSession.quote(result.record)) when other results were requested as "
                        + "well, and \(RecognitionSession.quote(other)) when only final texts were.")
            }
        }
        session.close()
        return .passed("The final texts do not depend on which other results are requested.")
    }

    static func alike(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        guard session.can(SYNTH_RECOGNIZES_ALIKE) else {
            return .skipped("It does not declare that its output is deterministic.")
        }
        let sound = ProbeSound.three(session.rate)
        let whole = try session.listenWhole(nil, session.request(wants: .words)).record
        try session.listenWhole(RecognitionRecord(.ofLane(1, session.rate)))
        func fault(_ record: RecognitionRecord, _ how: String) -> CheckFinding {
            .failed(
                "The text or the word timings differed: it recognized \(RecognitionSession.quote(whole)), and "
                    + "\(RecognitionSession.quote(record)) \(how).")
        }
        for piece in [Int.max, 64, 6400] {
            let record = RecognitionRecord(sound, piece: piece)
            try session.listenWhole(record, session.request(wants: .words))
            guard record.isHeardLike(whole) else {
                return fault(record, piece == .max ? "the second time" : "in chunks of \(piece) frames")
            }
        }
        if session.plugin.laneCount > 1 {
            let lane = try session.model.open()
            let record = RecognitionRecord(sound)
            subject.step("transcribing on a different lane")
            let error = ErrorProbe()
            lane.listen(session.request(wants: .words), record, error)
            lane.close()
            guard record.isHeardLike(whole) else { return fault(record, "on a different lane") }
        }
        session.close()
        return .passed("The same frames produce the same final texts: \(RecognitionSession.quote(whole)).")
    }

    static func asking(_ subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        let record = RecognitionRecord(.long(10, session.rate))
        try session.listenWhole(record)
        session.close()
        let pause = record.longestPause.milliseconds
        let measured = [Measurement("longest pause", pause, "ms")]
        let words = "The longest time between two calls to the host was \(pause.short) ms"
        return pause > 100 ? .warning("\(words); the limit is 100 ms.", measured) : .passed("\(words).", measured)
    }
}
