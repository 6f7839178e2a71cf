import Glibc

/// The element `prosody`.
///
/// Relative values and labels are factors; those of elements inside each other are multiplied. A pitch in hertz says
/// nothing without the voice's own, so it changes nothing; `range`, `contour` and `duration` are not read.
enum SSMLProsody {
    private static let rates = [
        "x-slow": 0.5, "slow": 0.75, "medium": 1, "default": 1, "fast": 1.25, "x-fast": 1.75,
    ]
    /// In semitones.
    private static let pitches = ["x-low": -6.0, "low": -3, "medium": 0, "default": 0, "high": 3, "x-high": 6]
    /// In decibels.
    private static let volumes = ["x-soft": -12.0, "soft": -6, "medium": 0, "default": 0, "loud": 6, "x-loud": 12]

    static func style(
        of tag: XMLTag, inside outer: ScriptStyle, failure: (XMLAttribute) -> ScriptError
    ) throws(ScriptError) -> ScriptStyle {
        var style = outer
        if let rate = tag.attribute("rate") {
            guard let factor = self.rate(rate.value) else { throw failure(rate) }
            style.rate = product(style.rate, factor, within: 0.1...10)
        }
        if let pitch = tag.attribute("pitch") {
            guard let factor = self.pitch(pitch.value) else { throw failure(pitch) }
            style.pitch = product(style.pitch, factor, within: 0.1...10)
        }
        if let volume = tag.attribute("volume") {
            guard let factor = self.volume(volume.value) else { throw failure(volume) }
            style.volume = product(style.volume, factor, within: 0...100)
        }
        return style
    }

    /// Both factors are bounded before, so that no infinity meets a 0.
    private static func product(_ first: Double, _ second: Double, within bounds: ClosedRange<Double>) -> Double {
        let second = min(max(second, bounds.lowerBound), bounds.upperBound)
        return min(max(first * second, bounds.lowerBound), bounds.upperBound)
    }

    private static func rate(_ text: String) -> Double? {
        if let factor = rates[text] { return factor }
        return SSMLQuantity(text).flatMap(factor)
    }

    private static func pitch(_ text: String) -> Double? {
        if let semitones = pitches[text] { return self.factor(semitones: semitones) }
        guard let quantity = SSMLQuantity(text) else { return nil }
        switch quantity.unit {
        case "st": return self.factor(semitones: quantity.signed)
        case "Hz": return 1
        default: return factor(quantity)
        }
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

    /// "120%" and "1.2" are factors, "+20%" is a change. A change without a unit ("+0.2") is not a value of SSML.
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
