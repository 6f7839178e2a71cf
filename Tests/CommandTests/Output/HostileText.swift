import TestNumbers

/// Malicious names: escape sequences, line breaks, characters that reverse the reading order, and very long names.
struct HostileText {
    private var numbers: SeededRandom

    init(seed: UInt64) { numbers = SeededRandom(seed) }

    private static let parts = [
        "Amy", "ready", "ü", "日本", "👩‍👩‍👧", "\n", "\r", "\r\n", "\t", "\u{0}", "\u{7}", "\u{8}", "\u{B}", "\u{C}", "\u{1B}",
        "\u{1B}[2J", "\u{1B}[31m", "\u{1B}]0;title\u{7}", "\u{1B}P1$r\u{1B}\\", "\u{7F}", "\u{85}", "\u{9B}31m",
        "\u{9D}0;title\u{9C}", "\u{2028}", "\u{2029}", "\u{200E}", "\u{200F}", "\u{61C}", "\u{202A}", "\u{202E}",
        "\u{2066}",
        "\u{2069}", "\u{FEFF}", "\u{FFF9}", "\"", "\\", "'", "$(reboot)", "%s", "\nsynthhost: all is well",
    ]

    mutating func next() -> String {
        let count = Int.random(in: 1...6, using: &numbers)
        return (0..<count).map { _ in Self.parts.randomElement(using: &numbers) ?? "" }.joined()
    }

    /// A text of at least one megabyte.
    mutating func nextLong() -> String {
        let part = next() + "x"
        return String(repeating: part, count: 1 + (1 << 20) / part.utf8.count)
    }
}
