import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// Checks settings at their limits, requests that cannot be spoken and structs from other versions of the header.
enum RequestChecks {
    static func extremes(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let table = session.plugin.table.fields
        let rates = [table.rate_min, table.rate_max]
        let pitches = [table.pitch_min, table.pitch_max]
        guard rates != [1, 1] || pitches != [1, 1] else {
            return .skipped("It leaves rate and pitch changes to the host.")
        }
        var seconds: [[Double]] = []
        for rate in rates {
            var row: [Double] = []
            for pitch in pitches {
                let spoken = session.speak(session.request(rate: rate, pitch: pitch))
                guard spoken.status == SYNTH_OK, spoken.record.frameCount > 0 else {
                    let words = spoken.status == SYNTH_OK ? "no audio" : spoken.words
                    return .failed("At rate \(rate) and pitch \(pitch), it returned \(words).")
                }
                row.append(spoken.record.seconds)
            }
            seconds.append(row)
        }
        session.close()
        let range = Double(table.rate_max / table.rate_min)
        if range > 1.2 {
            for (slow, fast) in zip(seconds[0], seconds[1]) where slow / fast < 1 + (range - 1) / 4 {
                return .failed(
                    "A sentence lasts \(slow.short) s at rate \(rates[0]), and \(fast.short) s at rate \(rates[1]).")
            }
        }
        return .passed("Rate \(rates[0]) to \(rates[1]), pitch \(pitches[0]) to \(pitches[1]).")
    }

    static func unknownVoice(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        // If voices are loaded from files, the host may pass voices that are listed only in the registry.
        guard session.plugin.roles().isEmpty else { return .skipped("Its voices are loaded from files.") }
        var request = session.request()
        request.voices[0].id = "no-such-voice-0"
        try expectRefusal(session.speak(request), "an unknown voice")
        try session.speakWhole(Session.sentence, " after an unknown voice")
        session.close()
        return .passed("It rejects an unknown voice.")
    }

    static func unknownSpeaker(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let voice = session.plugin.voices().first { known($0.id) == session.choice.id }
        guard let voice, voice.speaker_count > 0 else { return .skipped("Its voice has no speakers to choose from.") }
        var request = session.request()
        request.voices[0].speaker = "no such speaker"
        try expectRefusal(session.speak(request), "an unknown speaker")
        request = session.request()
        request.voices[0].speaker = voice.speakers.flatMap { known($0[voice.speaker_count - 1]) }
        let spoken = session.speak(request)
        guard spoken.status == SYNTH_OK else { return .failed("For its last speaker, it returned \(spoken.words).") }
        session.close()
        return .passed("It rejects an unknown speaker and accepts its last speaker.")
    }

    private static func expectRefusal(_ spoken: SpeechResult, _ what: String) throws {
        guard spoken.status == SYNTH_BAD_REQUEST else {
            throw CheckFinding.failed("For \(what), it returned \(spoken.words) instead of BAD_REQUEST.")
        }
        guard !spoken.message.isEmpty else {
            throw CheckFinding.failed("For \(what), it returned BAD_REQUEST without a message.")
        }
    }

    static func errorBuffer(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        return try errorBuffer(subject, session, refusing: "a voice") { error in
            var request = session.request()
            request.voices[0].id = "no-such-voice-0"
            request.voices[0].speaker = "no such speaker"
            request.voices[0].files = []
            return session.lane.speak(request, to: RecordingSink(), error)
        } succeeding: { error in
            session.lane.speak(session.request(), to: RecordingSink(), error)
        }
    }

    /// - Parameters:
    ///   - what: the part of the request that should be rejected.
    ///   - refusal: makes a request that should be rejected.
    ///   - success: makes a request that must succeed.
    static func errorBuffer(
        _ subject: Subject, _ trial: any Trial, refusing what: String,
        _ refusal: (borrowing ErrorProbe) -> synth_status, succeeding success: (borrowing ErrorProbe) -> synth_status
    ) throws -> CheckFinding {
        var refusals = 0
        for capacity in [0, 1, 2, 3, 7, 16, 33, 4096] {
            let error = ErrorProbe(capacity: capacity)
            subject.step("reporting an error in a message buffer of \(capacity) bytes")
            let status = refusal(error)
            guard error.isIntact else {
                return .failed("It wrote past the end of its \(capacity)-byte message buffer.")
            }
            guard status != SYNTH_OK, status != SYNTH_CANCELLED else { continue }
            refusals += 1
            guard error.isTerminated else {
                return .failed("Its message in a \(capacity)-byte buffer is not null-terminated.")
            }
            guard error.message != nil else {
                return .failed(
                    "Its message, truncated to \(capacity) bytes, is not valid UTF-8; truncate it between characters.")
            }
        }
        let error = ErrorProbe()
        let status = success(error)
        guard status != SYNTH_OK || error.isUntouched else {
            return .failed("It wrote to the error struct of a successful call.")
        }
        trial.close()
        guard refusals > 0 else {
            return .skipped("It accepts \(what) that does not exist, so it returned no message to check.")
        }
        return .passed("It writes only within the buffer.")
    }

    static func futureStructs(_ subject: Subject) throws -> CheckFinding {
        let extra = 40
        let session = try Session(subject, try LoadedEngine(subject, host: ProbeHost.make(extra: extra)))
        let whole = try session.speakWhole().record
        session.close()
        let error = ErrorProbe(extra: extra)
        let (model, lane) = try session.plugin.openFromLongerStructs(session.choice, extra: extra, error)

        subject.step("speaking with structs that have additional fields")
        let arena = CallArena()
        guard let plain = arena.request(session.request()) else { return .skipped("Not enough memory.") }
        let request = LongerStruct.sized(plain.pointee, extra)
        request.pointee.voices = LongerStruct.sized(request.pointee.voices, request.pointee.voice_count, extra)
        if let use = request.pointee.voices?[0].map({ UnsafeMutablePointer(mutating: $0) }) {
            use.pointee.files = LongerStruct.sized(use.pointee.files, use.pointee.file_count, extra)
        }
        let recording = RecordingSink()
        let sink = LongerStruct.sized(recording.table, extra)
        let status = withExtendedLifetime((arena, recording)) {
            lane.table.work(lane.pointer, request, sink, error.pointer)
        }
        guard status == SYNTH_OK else {
            return .failed("synthesize returned \(error.words(status)) for structs with additional fields.")
        }
        let frames = Double(whole.frameCount)
        guard (0.6 * frames...1.6 * frames).contains(Double(recording.frameCount)) else {
            return .failed(
                "It returned \(recording.frameCount) frames for structs with additional fields, and \(whole.frameCount) for normal structs."
            )
        }
        lane.close()
        model.unload()
        return .passed("It ignores additional fields at the end of structs.")
    }
}
