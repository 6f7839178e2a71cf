import SynthSystem

/// Formats quantities. Without a phrase book, the text is in English and numbers have a decimal point, whatever the
/// locale is.
package enum HumanReadable {
    /// Formats a speed, such as "5.1 MB/s".
    package static func speed(bytesPerSecond: Double) -> String {
        ByteCount.words(wholeNumber(bytesPerSecond)) + "/s"
    }

    /// Formats a duration with at most two units: "0.4 s", "12 s", "1 min 20 s", "2 h 5 min".
    package static func duration(_ duration: Duration) -> String {
        let seconds = max(0, duration / .seconds(1))
        if seconds < 9.95 {
            let text = tenths(seconds)
            return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " s"
        }
        let whole = wholeNumber(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return join(whole / 60, "min", whole % 60, "s") }
        return join(whole / 3600, "h", whole % 3600 / 60, "min")
    }

    /// Formats an estimate with a single unit: "12 s left", "3 min left", "2 h left".
    package static func timeLeft(_ duration: Duration, in localized: PhraseBook = .english) -> String {
        let seconds = max(0, duration / .seconds(1))
        if seconds < 59.5 { return localized("\(max(1, wholeNumber(seconds.rounded(.up)))) s left") }
        if seconds < 59.5 * 60 { return localized("\(wholeNumber((seconds / 60).rounded())) min left") }
        return localized("\(wholeNumber((seconds / 3600).rounded())) h left")
    }

    /// Formats a percentage, such as "42%". The value is rounded down, so that "100%" appears only when the work is
    /// complete.
    package static func percentage(_ fraction: Double, in localized: PhraseBook = .english) -> String {
        localized("\(percent(fraction))%")
    }

    /// The percentage from 0 to 100, rounded down.
    package static func percent(_ fraction: Double) -> Int {
        fraction.isFinite ? Int(clamping: min(max(fraction, 0), 1) * 100 + 1e-9) : 0
    }

    private static func tenths(_ value: Double) -> String {
        let scaled = wholeNumber((value * 10).rounded())
        return "\(scaled / 10).\(scaled % 10)"
    }

    private static func wholeNumber(_ value: Double) -> Int64 { Int64(clamping: max(0, value)) }

    private static func join(_ large: Int64, _ largeUnit: String, _ small: Int64, _ smallUnit: String) -> String {
        small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
    }
}
