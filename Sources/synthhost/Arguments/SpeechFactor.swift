import Glibc
import SynthHost

/// The ways to write rate, pitch, variation and volume. Each yields a factor within the range that is allowed.
enum SpeechFactor {
    /// "1.25", "125%", or a change: "+20%", "-10%".
    @Sendable static func rate(_ text: String) throws(ValueError) -> Double {
        let expectation = "a factor from 0.25 to 4 such as 1.25, 125% or +25%"
        guard let factor = percentage(text) ?? factor(text) else { throw ValueError(expectation: expectation) }
        return try check(factor, in: ConfigurationKey.rateRange, expectation)
    }

    /// "1.1", or semitones: "+2st", "-3st".
    @Sendable static func pitch(_ text: String) throws(ValueError) -> Double {
        let expectation = "a factor from 0.5 to 2 such as 1.1, or semitones from -12st to +12st"
        let semitones = number(text, unit: "st")
        guard let factor = semitones.map({ exp2($0 / 12) }) ?? factor(text) else {
            throw ValueError(expectation: expectation)
        }
        return try check(factor, in: ConfigurationKey.pitchRange, expectation)
    }

    /// "0.5" or "50%".
    @Sendable static func variation(_ text: String) throws(ValueError) -> Double {
        let expectation = "a factor from 0 to 2 such as 0, 0.5 or 150%"
        guard let factor = percentage(text) ?? factor(text) else { throw ValueError(expectation: expectation) }
        return try check(factor, in: 0...2, expectation)
    }

    /// "0.5", "50%", or decibels: "+3dB", "-6dB".
    @Sendable static func volume(_ text: String) throws(ValueError) -> Double {
        let expectation = "a gain from 0 to 4 such as 0.5, 50% or -6dB (up to +12dB)"
        let decibels = number(text, unit: "db")
        guard let gain = decibels.map({ pow(10, $0 / 20) }) ?? percentage(text) ?? factor(text) else {
            throw ValueError(expectation: expectation)
        }
        return try check(gain, in: ConfigurationKey.volumeRange, expectation)
    }

    /// With a sign, a change of 100%.
    private static func percentage(_ text: String) -> Double? {
        guard let value = number(text, unit: "%") else { return nil }
        return isSigned(text) ? 1 + value / 100 : value / 100
    }

    private static func factor(_ text: String) -> Double? {
        isSigned(text) ? nil : decimal(text)
    }

    private static func isSigned(_ text: String) -> Bool {
        text.hasPrefix("+") || text.hasPrefix("-")
    }

    private static func number(_ text: String, unit: String) -> Double? {
        guard text.lowercased().hasSuffix(unit) else { return nil }
        return decimal(String(text.dropLast(unit.count)))
    }

    /// Digits, at most one point, a sign: `Double.init` alone would take "nan", "inf" and "0x1p3" too.
    private static func decimal(_ text: String) -> Double? {
        let digits = isSigned(text) ? text.dropFirst() : text[...]
        guard digits.contains(where: { $0.isASCII && $0.isNumber }), digits.count <= 20,
            digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." })
        else { return nil }
        let padded = (digits.hasPrefix(".") ? "0" : "") + digits + (digits.hasSuffix(".") ? "0" : "")
        return Double(padded).map { text.hasPrefix("-") ? -$0 : $0 }
    }

    private static func check(
        _ value: Double, in range: ClosedRange<Double>, _ expectation: String
    ) throws(ValueError) -> Double {
        // Twelve semitones are a factor of two only up to rounding.
        let nearest = min(max(value, range.lowerBound), range.upperBound)
        guard abs(value - nearest) < 1e-9 else { throw ValueError(expectation: expectation) }
        return nearest
    }
}
