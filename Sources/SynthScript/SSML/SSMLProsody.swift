import Glibc

/// Parses the `prosody` element.
///
/// Relative values and labels are factors, which are multiplied for nested elements. A change in hertz is converted on
/// the assumption that the voice has a pitch of 160 Hz. An absolute pitch in hertz is ignored, because the voice's
/// pitch is unknown; `duration` is ignored; `contour` is handled by `SSMLContour`.
enum SSMLProsody {
    private static let rates = [
        "x-slow": 0.5, "slow": 0.75, "medium": 1, "default": 1, "fast": 1.25, "x-fast": 1.75,
    ]
    /// The named pitches, in semitones.
    private static let pitches = ["x-low": -6.0, "low": -3, "medium": 0, "default": 0, "high": 3, "x-high": 6]
    private static let ranges = ["x-low": 0.25, "low": 0.5, "medium": 1, "default": 1, "high": 1.5, "x-high": 2]
    /// A pitch in hertz, between the typical pitches of female and male voices.
    private static let usualPitch = 160.0
    /// The named volumes, in decibels.
    private static let volumes = ["x-soft": -12.0, "soft": -6, "medium": 0, "default": 0, "loud": 6, "x-loud": 12]

    static func style(
        of tag: XMLTag, inside outer: ScriptStyle, failure: (XMLAttribute) -> ScriptError
    ) throws(ScriptError) -> ScriptStyle {
        var style = outer
        func apply(
            _ name: String, _ factor: (String) -> Double?, to path: WritableKeyPath<ScriptStyle, Double>,
            within bounds: ClosedRange<Double>
        ) throws(ScriptError) {
            guard let attribute = tag.attribute(name) else { return }
            guard let factor = factor(attribute.value) else { throw failure(attribute) }
            style[keyPath: path] = product(style[keyPath: path], factor, within: bounds)
        }
        try apply("rate", rate, to: \.rate, within: 0.1...10)
        try apply("pitch", pitch, to: \.pitch, within: 0.1...10)
        try apply("range", range, to: \.intonation, within: 0...2)
        try apply("volume", volume, to: \.volume, within: 0...100)
        return style
    }

    /// Returns the product, clamped to the bounds. The second factor is also clamped on its own, so that infinity is
    /// never multiplied by 0.
    private static func product(_ first: Double, _ second: Double, within bounds: ClosedRange<Double>) -> Double {
        let second = min(max(second, bounds.lowerBound), bounds.upperBound)
        return min(max(first * second, bounds.lowerBound), bounds.upperBound)
    }

    private static func rate(_ text: String) -> Double? { rates[text] ?? SSMLQuantity(text).flatMap(factor) }

    static func pitch(_ text: String) -> Double? {
        if let semitones = pitches[text] { return self.factor(semitones: semitones) }
        guard let quantity = SSMLQuantity(text) else { return nil }
        switch quantity.unit {
        case "st": return self.factor(semitones: quantity.signed)
        case "Hz": return quantity.sign == nil ? 1 : 1 + quantity.signed / usualPitch
        default: return factor(quantity)
        }
    }

    /// Ignores a range in hertz or semitones, because the voice's range is unknown.
    private static func range(_ text: String) -> Double? {
        if let factor = ranges[text] { return factor }
        guard let quantity = SSMLQuantity(text) else { return nil }
        return quantity.unit == "st" || quantity.unit == "Hz" ? 1 : factor(quantity)
    }

    private static func volume(_ text: String) -> Double? {
        if text == "silent" { return 0 }
        if let decibels = volumes[text] { return self.factor(decibels: decibels) }
        guard let quantity = SSMLQuantity(text) else { return nil }
        switch quantity.unit {
        case "dB": return self.factor(decibels: quantity.signed)
        case "" where quantity.sign != nil: return 1 + quantity.signed / 100
        case "": return quantity.number <= 100 ? quantity.number / 100 : nil
        default: return factor(quantity)
        }
    }

    /// Returns the factor for a quantity: "120%" and "1.2" are factors; "+20%" is a relative change. SSML does not
    /// allow a relative change without a unit ("+0.2").
    private static func factor(_ quantity: SSMLQuantity) -> Double? {
        switch (quantity.unit, quantity.sign) {
        case ("%", nil): quantity.number / 100
        case ("%", _): 1 + quantity.signed / 100
        case ("", nil): quantity.number
        default: nil
        }
    }

    private static func factor(semitones: Double) -> Double { pow(2, semitones / 12) }

    private static func factor(decibels: Double) -> Double { pow(10, decibels / 20) }
}

/// Parses the `break` element.
enum SSMLBreak {
    /// The maximum length of a pause in nanoseconds.
    private static let longest = 600e9

    private static let strengths: [String: Duration] = [
        "weak": .milliseconds(250), "medium": .milliseconds(500), "strong": .seconds(1),
        "x-strong": .milliseconds(1_500),
    ]

    /// Returns the length of the pause, or nil if the element specifies that there is none.
    static func duration(
        of tag: XMLTag, failure: (XMLAttribute) -> ScriptError
    ) throws(ScriptError) -> Duration? {
        if let time = tag.attribute("time") {
            guard let duration = duration(time.value) else { throw failure(time) }
            return duration
        }
        guard let strength = tag.attribute("strength") else { return strengths["medium"] }
        if let duration = strengths[strength.value] { return duration }
        guard strength.value == "none" || strength.value == "x-weak" else { throw failure(strength) }
        return nil
    }

    private static func duration(_ text: String) -> Duration? {
        guard let quantity = SSMLQuantity(text), quantity.sign != "-" else { return nil }
        let nanoseconds: Double
        switch quantity.unit {
        case "ms": nanoseconds = quantity.number * 1e6
        case "s": nanoseconds = quantity.number * 1e9
        default: return nil
        }
        // Round to nanoseconds, because `Double` cannot represent fractions such as 0.7 exactly.
        return nanoseconds <= longest ? .nanoseconds(Int64(nanoseconds.rounded())) : nil
    }
}

/// A number with an optional unit, in CSS notation: "700ms", "+20%", "-2st", "1.5".
struct SSMLQuantity {
    /// "+" or "-", or nil if there is none.
    let sign: Character?
    /// The number without its sign.
    let number: Double
    /// The unit as written. Empty if there is none.
    let unit: String

    /// Returns nil if the text is not a number with an optional unit. Ignores surrounding white space.
    init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var rest = Substring(text).drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        sign = rest.first.flatMap { "+-".contains($0) ? $0 : nil }
        if sign != nil { rest.removeFirst() }
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard digits.contains(where: { $0.isNumber }), let number = Double(digits) else { return nil }
        self.number = number
        unit = String(rest.dropFirst(digits.count))
    }

    var signed: Double { sign == "-" ? -number : number }
}
