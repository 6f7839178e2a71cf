import Glibc
import SynthJSON

/// A factor that changes speech, and its notation in flags, environment variables and the configuration.
package struct SpeechFactor: Sendable {
    package let range: ClosedRange<Double>
    /// The expected value, phrased to follow "must be".
    package let expectation: String
    private let read: @Sendable (String) -> Double?

    /// The speed factor, written as "1.25" or "125%", or as a relative change: "+20%", "-10%".
    package static let rate = SpeechFactor(
        range: 0.25...4, expectation: "a factor from 0.25 to 4, such as 1.25, 125% or +25%"
    ) { percentage($0) ?? factor($0) }

    /// The pitch factor, written as "1.1" or in semitones: "+2st", "-3st".
    package static let pitch = SpeechFactor(
        range: 0.5...2, expectation: "a factor from 0.5 to 2, such as 1.1, or semitones from -12st to +12st"
    ) { text in number(text, unit: "st").map { exp2($0 / 12) } ?? factor(text) }

    /// The factor for random variation, written as "0.5" or "50%".
    package static let variation = SpeechFactor(
        range: 0...2, expectation: "a factor from 0 to 2, such as 0, 0.5 or 150%"
    ) { percentage($0) ?? factor($0) }

    /// The factor for the length of pauses, written as "1.5" or "150%".
    package static let pause = SpeechFactor(
        range: 0...4, expectation: "a factor from 0 to 4, such as 0.5, 1.5 or 150%"
    ) { percentage($0) ?? factor($0) }

    /// The volume factor, written as "0.5", "50%" or in decibels: "+3dB", "-6dB".
    package static let volume = SpeechFactor(
        range: 0...4, expectation: "a gain from 0 to 4, such as 0.5, 50% or -6dB (up to +12dB)"
    ) { text in number(text, unit: "db").map { pow(10, $0 / 20) } ?? percentage(text) ?? factor(text) }

    /// Parses a factor. Returns nil if it is invalid or out of range. The result is rounded to six decimal places, so that its printed form
    /// is short and parses to the same value. The difference is inaudible.
    package func value(of text: String) -> Double? {
        guard let value = read(text) else { return nil }
        let rounded = (value * 1e6).rounded() / 1e6
        return range.contains(rounded) ? rounded : nil
    }

    /// Reads a factor from the configuration: a number, or a string in command-line notation. Returns nil if it is invalid.
    func value(of value: JSONNode.Value) -> Double? {
        switch value {
        case .number(let number): range.contains(number) ? number : nil
        case .string(let text): self.value(of: text)
        default: nil
        }
    }

    func describe(_ node: JSONNode) -> String {
        if case .string(let text) = node.value { "\"\(text)\"" } else { node.kindName }
    }

    /// Parses a percentage. A signed percentage is relative to 100%.
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

    /// Accepts digits, a sign and at most one decimal point. `Double.init` alone would also accept "nan", "inf" and "0x1p3".
    private static func decimal(_ text: String) -> Double? {
        let digits = isSigned(text) ? text.dropFirst() : text[...]
        guard digits.contains(where: { $0.isASCII && $0.isNumber }), digits.count <= 20,
            digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." })
        else { return nil }
        let padded = (digits.hasPrefix(".") ? "0" : "") + digits + (digits.hasSuffix(".") ? "0" : "")
        return Double(padded).map { text.hasPrefix("-") ? -$0 : $0 }
    }
}
