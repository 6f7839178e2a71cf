import CSynthEngine
import SynthEngineProcesses
import SynthEngineWire

/// What a recognizer tells of a sound.
enum HeardChecks {
    static func shortSound(_ subject: Subject) throws -> CheckFinding {
        let session = try HearingSession(subject)
        let heard = session.listen(HearingRecord(.three(session.rate)))
        guard heard.status == SYNTH_OK else { return .failed("It gave \(heard.words).") }
        if let fault = heard.record.faults[.reading] { return .failed("It \(fault).") }
        session.close()
        let time = (heard.end - heard.start).milliseconds / 1000
        let length = Double(heard.record.framesRead) / Double(session.rate)
        var measured = [
            Measurement("sound", length, "s"), Measurement("real-time factor", length > 0 ? time / length : 0),
        ]
        if let first = heard.record.firstText {
            measured.append(Measurement("first text", (first - heard.start).milliseconds, "ms"))
        }
        return .passed(
            "It read \(length.short) s of sound in \(time.short) s and heard \(HearingSession.quote(heard.record)).",
            measured)
    }

    /// Each kind of request that gives texts.
    private static func requests(_ session: HearingSession) -> [HearingRequest] {
        var live = session.request(wants: .everything)
        live.isLive = true
        let phrases = ["yes", "no", "one"]
        return [
            session.request(wants: .everything), live,
            session.request(wants: .everything, hints: HearingHints(.number)),
            session.request(wants: .everything, hints: HearingHints(.choice, phrases: phrases)),
            session.request(hints: HearingHints(.text, context: "What was said before.", phrases: phrases)),
        ]
    }

    static func texts(_ subject: Subject) throws -> CheckFinding {
        let session = try HearingSession(subject)
        var count = 0
        for request in requests(session) {
            let piece = request.isLive ? session.rate / 10 : .max
            let heard = try session.listenWhole(HearingRecord(.three(session.rate), piece: piece), request)
            if let fault = heard.record.faults[.text] { return .failed("It \(fault).") }
            count += heard.record.texts.count
            guard session.can(SYNTH_CAN_TRANSCRIBE) || heard.record.texts.allSatisfy(\.text.isEmpty) else {
                return .failed("It tells texts, and does not declare SYNTH_CAN_TRANSCRIBE.")
            }
        }
        session.close()
        return .passed("Texts: \(count), all as the header wants them.", [Measurement("texts", Double(count))])
    }

    static func stableParts(_ subject: Subject) throws -> CheckFinding {
        let session = try HearingSession(subject)
        guard session.can(SYNTH_CAN_GIVE_PARTIALS) else { return .skipped("It gives no partial texts.") }
        var count = 0
        for isLive in [true, false] {
            var request = session.request(wants: .everything)
            request.isLive = isLive
            let record = HearingRecord(.three(session.rate), piece: session.rate / 50)
            try session.listenWhole(record, request)
            if let fault = record.faults[.stable] { return .failed("It \(fault).") }
            count += record.texts.count { !$0.isFinal }
        }
        session.close()
        return .passed("Partial texts: \(count); what is stable stays.", [Measurement("partials", Double(count))])
    }

    static func events(_ subject: Subject) throws -> CheckFinding {
        let session = try HearingSession(subject)
        guard session.can(SYNTH_CAN_DETECT_SPEECH) else { return .skipped("It does not detect speech.") }
        var request = session.request(wants: .speechEvents)
        request.isLive = true
        let piece = session.rate / 50
        let record = HearingRecord(.three(session.rate), piece: piece)
        try session.listenWhole(record, request)
        if let fault = record.faults[.event] { return .failed("It \(fault).") }
        session.close()
        let delay = Double(record.longestEventDelay) / Double(session.rate) * 1000
        let measured = [Measurement("events", Double(record.events.count)), Measurement("longest delay", delay, "ms")]
        let words = "Events: \(record.events.count), the latest after \(delay.short) ms of sound"
        return delay > 520 ? .warning("\(words); 500 ms are allowed.", measured) : .passed("\(words).", measured)
    }

    static func wants(_ subject: Subject) throws -> CheckFinding {
        let session = try HearingSession(subject)
        var first: HearingRecord?
        for wants in [[], .everything, .partials, .words, .speechEvents] as [HearingRequest.Wants] {
            let heard = try session.listenWhole(nil, session.request(wants: wants), ", whatever is wanted,")
            guard let other = first else {
                first = heard.record
                continue
            }
            guard !session.can(SYNTH_RECOGNIZES_ALIKE) || heard.record.finals.map(\.text) == other.finals.map(\.text)
            else {
                return .failed(
                    "It heard \(HearingSession.quote(heard.record)) when more was wanted, "
                        + "and \(HearingSession.quote(other)) when only final texts were.")
            }
        }
        session.close()
        return .passed("What is wanted beside them does not change the final texts.")
    }

    static func alike(_ subject: Subject) throws -> CheckFinding {
        let session = try HearingSession(subject)
        guard session.can(SYNTH_RECOGNIZES_ALIKE) else { return .skipped("It does not say that it hears alike.") }
        let sound = ProbeSound.three(session.rate)
        let whole = try session.listenWhole(nil, session.request(wants: .words)).record
        try session.listenWhole(HearingRecord(.ofLane(1, session.rate)))
        func fault(_ record: HearingRecord, _ how: String) -> CheckFinding {
            .failed(
                "It heard \(HearingSession.quote(record)) \(how) and \(HearingSession.quote(whole)) before, "
                    + "or told other places in the sound.")
        }
        for piece in [Int.max, 64, 6400] {
            let record = HearingRecord(sound, piece: piece)
            try session.listenWhole(record, session.request(wants: .words))
            guard record.isHeardLike(whole) else {
                return fault(record, piece == .max ? "the second time" : "in pieces of \(piece) frames")
            }
        }
        if session.listener.laneCount > 1 {
            let lane = try session.model.open()
            let record = HearingRecord(sound)
            subject.doing("it listened on another lane")
            let error = ErrorProbe()
            lane.listen(session.request(wants: .words), record, error)
            lane.close()
            guard record.isHeardLike(whole) else { return fault(record, "on another lane") }
        }
        session.close()
        return .passed("The same frames give the same finals: \(HearingSession.quote(whole)).")
    }

    static func asking(_ subject: Subject) throws -> CheckFinding {
        let session = try HearingSession(subject)
        let record = HearingRecord(.long(10, session.rate))
        try session.listenWhole(record)
        session.close()
        let pause = record.longestPause.milliseconds
        let measured = [Measurement("longest pause", pause, "ms")]
        let words = "The longest time in which it neither read nor told nor asked anything was \(pause.short) ms"
        return pause > 100 ? .warning("\(words); 100 ms are allowed.", measured) : .passed("\(words).", measured)
    }
}
