import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// Checks that an engine achieves its declared rates. The host does not correct rates within the declared range.
enum RateChecks {
    private static let tolerance = 0.03

    /// A text with all types of pauses. It is long enough for rounding errors in the durations of individual phonemes
    /// to average out.
    private static let text =
        "The library opened at nine, and a few people were already waiting outside. Most of them wanted newspapers; one "
        + "wanted an old map of the harbour. The librarian knew where it was. She fetched it, unrolled it on the table, and left."

    static func range(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let rates = rates(of: session.plugin.table.fields)
        guard !rates.isEmpty else { return .skipped("It leaves rate changes to the host.") }
        let plain = try seconds(1, session)
        var worst = 0.0
        for rate in rates {
            let length = try seconds(rate, session)
            let reached = plain / length
            let deviation = reached / Double(rate) - 1
            worst = max(worst, deviation.magnitude)
            guard deviation.magnitude <= tolerance else {
                return .failed(
                    "At rate \(rate), the measured rate is \(hundredths(reached)): \(plain.short) s of speech became \(length.short) s. "
                        + "Declare only the range that the engine achieves; the host handles all other rates.",
                    [Measurement("deviation", deviation * 100, "%")])
            }
        }
        session.close()
        return .passed(
            "At rates from \(rates.min() ?? 1) to \(rates.max() ?? 1), the deviation is at most \((worst * 100).short)%.",
            [Measurement("largest deviation", worst * 100, "%")])
    }

    /// Returns the limits of the declared range and the geometric mean of 1 and each limit.
    private static func rates(of engine: synth_engine) -> [Float] {
        [engine.rate_min, engine.rate_max].flatMap { end in end == 1 ? [] : [end.squareRoot(), end] }
    }

    private static func seconds(_ rate: Float, _ session: Session) throws -> Double {
        var request = session.request(text, rate: rate)
        // Disable variation, because it could change the length by more than the tolerance.
        if session.can(SYNTH_CAN_VARY) { request.variation = -1 }
        let spoken = session.speak(request, keepsSamples: false)
        guard spoken.status == SYNTH_OK, spoken.record.frameCount > 0 else {
            let words = spoken.status == SYNTH_OK ? "no audio" : spoken.words
            throw CheckFinding.failed("At rate \(rate), it returned \(words).")
        }
        return spoken.record.seconds
    }

    private static func hundredths(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}

/// Checks whispering and pitch changes within an utterance.
enum PitchChecks {
    static func shape(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let (shapes, whispers) = (session.can(SYNTH_CAN_SHAPE_PITCH), session.can(SYNTH_CAN_WHISPER))
        guard shapes || whispers else {
            return .skipped("It neither changes the pitch within a sentence nor whispers.")
        }
        let plain = try session.speakWhole().record
        guard plain.samples.contains(where: { $0 != 0 }) else { return .skipped("It is silent.") }
        if whispers {
            var request = session.request()
            request.isWhispered = true
            try expectChange(session.speak(request), from: plain, "When whispering is requested")
        }
        if shapes {
            let table = session.plugin.table.fields
            let (low, high) = (table.pitch_min, table.pitch_max)
            let end = Session.sentence.utf8.count
            var request = session.request()
            request.pitchPoints = points((0, low), (end, high))
            try expectChange(session.speak(request), from: plain, "With a pitch that rises from \(low) to \(high)")
            for (what, points) in odd(low, high, end) {
                var request = session.request()
                request.pitchPoints = points
                try expectSound(session.speak(request), "With pitch points \(what)")
            }
            for intonation in [-1, 1] as [Float] {
                var request = session.request()
                request.intonation = intonation
                try expectSound(session.speak(request), "With an intonation of \(intonation)")
            }
        }
        try session.speakWhole(Session.sentence, " after a request with a different pitch")
        session.close()
        return .passed(
            [shapes ? "It changes the pitch within a sentence." : nil, whispers ? "It whispers." : nil].compactMap {
                $0
            }.joined(
                separator: " "))
    }

    /// Lists of invalid and unusual pitch points. The host passes only lists like the last two, but engines must not
    /// rely on that.
    private static func odd(_ low: Float, _ high: Float, _ end: Int) -> [(String, [LanePitchPoint])] {
        [
            ("out of order", points((end, low), (0, high), (end / 2, 1))),
            ("outside the text", points((end + 1, low), (1 << 40, high))),
            ("that are not finite numbers", points((0, .nan), (1, .infinity), (end, 0))),
            ("outside its range", points((0, -1), (2, 1e30), (end, 1e-30))),
            ("at the same position", points((end / 2, low), (end / 2, high), (end / 2, low))),
            (
                "in large numbers",
                (0..<LaneRequest.maximumPitchPoints).map { number in
                    LanePitchPoint(
                        offset: number * end / LaneRequest.maximumPitchPoints, factor: number % 2 == 0 ? low : high)
                }
            ),
        ]
    }

    private static func points(_ points: (Int, Float)...) -> [LanePitchPoint] {
        points.map { LanePitchPoint(offset: $0.0, factor: $0.1) }
    }

    private static func expectChange(_ spoken: SpeechResult, from plain: RecordingSink, _ what: String) throws {
        try expectSound(spoken, what)
        if spoken.record.samples == plain.samples {
            throw CheckFinding.failed("\(what), the audio is unchanged.")
        }
    }

    private static func expectSound(_ spoken: SpeechResult, _ what: String) throws {
        guard spoken.status == SYNTH_OK, spoken.record.frameCount > 0 else {
            let words = spoken.status == SYNTH_OK ? "no audio" : spoken.words
            throw CheckFinding.failed("\(what), it returned \(words).")
        }
        guard spoken.record.samples.allSatisfy(\.isFinite) else {
            throw CheckFinding.failed("\(what), it returned a sample that is not a finite number.")
        }
    }
}
