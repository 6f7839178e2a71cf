import TestNumbers

/// Random texts composed of fragments that are difficult to split.
enum NastyText {
    private static let escapes = ["\u{1B}[1;31m", "\u{1B}]0;title. x\u{7}", "\u{1B}(B"]

    private static let pieces =
        escapes + [
            "Hello", "world", " ", " ", " ", ".", "?", "!", "...", "…", ",", ";", ":", "\n", "\n\n", "\r\n", "\r", "- ",
            "1. ", "a) ",
            "Dr.", "e.g.", "U.S.", "J. ", "z. B.", "3.14", "am 3. Mai", "19. ", "No. 5", "\"", "'", "“", "”", "«", "»",
            "(", ")",
            "你好", "。", "！", "「", "」", "、", "مرحبا", "؟", "नमस्ते", "।", "e\u{301}", "\u{301}", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "\u{A0}",
            "\u{3000}",
            "\u{2028}", "\u{2029}", "\u{0C}", "\u{85}", "\u{0}", "\t", "\u{FEFF}", "\u{200B}", "http://a.b/c?d",
            "a.b@c.d", "— ", "–",
            "ich", "The", "he", "Привет", "и", "\u{9B}31m",
        ]

    static func make(with random: inout SeededRandom) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...120, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
        return text
    }

    /// The bytes that must be spoken.
    static func visible(in text: String) -> [UInt8] {
        // Scalars are compared, because a search by character would not find a fragment that is followed by an accent.
        var rest = Array(text.unicodeScalars)[...]
        let patterns = (escapes + ["\u{9B}31m"]).map { Array($0.unicodeScalars) }
        var kept = String.UnicodeScalarView()
        while let first = rest.first {
            if let pattern = patterns.first(where: { rest.starts(with: $0) }) {
                rest = rest.dropFirst(pattern.count)
            } else {
                kept.append(first)
                rest = rest.dropFirst()
            }
        }
        return Visible.bytes(of: String(kept))
    }
}
