import CSynthEngine
import SynthEngineChecks
import SynthEngineLoading
import SynthEngineWire

/// Whether an engine reaches the rates that it declares. The host leaves a rate within the range to the engine.
enum RateChecks {
    /// How much faster or slower than the rate a text may be spoken.
    private static let tolerance = 0.03

    /// Long enough that the rounding of single sounds cancels out, with pauses of all kinds.
    private static let text =
        "The library opened at nine, and a few people were already waiting outside. Most of them wanted newspapers; one "
        + "wanted an old map of the harbour. The librarian knew where it was. She fetched it, unrolled it on the table, and left."

    static func range(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let rates = rates(of: session.engine.table.engine)
        guard !rates.isEmpty else { return .skipped("It leaves the rate to the host.") }
        let plain = try seconds(1, session)
        var worst = 0.0
        for rate in rates {
            let length = try seconds(rate, session)
            let reached = plain / length
            let deviation = reached / Double(rate) - 1
            worst = max(worst, deviation.magnitude)
            guard deviation.magnitude <= tolerance else {
                return .failed(
                    "At rate \(rate) it reaches \(hundredths(reached)): a text of \(plain.short) s lasts \(length.short) s. "
                        + "Declare the range that it reaches; the host covers the rest.",
                    [Measurement("deviation", deviation * 100, "%")])
            }
        }
        session.close()
        return .passed(
            "From rate \(rates.min() ?? 1) to \(rates.max() ?? 1) it is at most \((worst * 100).short) % off.",
            [Measurement("largest deviation", worst * 100, "%")])
    }

    /// The ends of the range, and halfway between them and 1.
    private static func rates(of engine: synth_engine) -> [Float] {
        [engine.rate_min, engine.rate_max].flatMap { end in end == 1 ? [] : [end.squareRoot(), end] }
    }

    private static func seconds(_ rate: Float, _ session: Session) throws -> Double {
        var request = session.request(text, rate: rate)
        // Two readings of a text may differ by more than the tolerance.
        if session.engine.can(SYNTH_CAN_VARY) { request.variation = -1 }
        let spoken = session.speak(request, keepsSamples: false)
        guard spoken.status == SYNTH_OK, spoken.sink.frameCount > 0 else {
            let words = spoken.status == SYNTH_OK ? "no sound" : spoken.words
            throw CheckFinding.failed("At rate \(rate) it gave \(words).")
        }
        return spoken.sink.seconds
    }

    private static func hundredths(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}
