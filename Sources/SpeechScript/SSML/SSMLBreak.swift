/// The element `break`.
enum SSMLBreak {
    /// The longest pause of one element.
    private static let longest = Duration.seconds(600)

    private static let strengths: [String: Duration] = [
        "weak": .milliseconds(250), "medium": .milliseconds(500), "strong": .seconds(1),
        "x-strong": .milliseconds(1_500),
    ]

    /// nil = there is no pause.
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
        guard let quantity = SSMLQuantity(text), quantity.sign != .minus else { return nil }
        let nanoseconds: Double
        switch quantity.unit {
        case "ms": nanoseconds = quantity.number * 1e6
        case "s": nanoseconds = quantity.number * 1e9
        default: return nil
        }
        // Whole nanoseconds, because a fraction such as 0.7 has no exact value as seconds.
        guard nanoseconds <= 600e9 else { return nil }
        let duration = Duration.nanoseconds(Int64(nanoseconds.rounded()))
        return duration <= longest ? duration : nil
    }
}
