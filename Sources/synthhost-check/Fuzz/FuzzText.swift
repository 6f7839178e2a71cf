/// Random texts of up to some kilobytes: words, and what real texts have between them.
enum FuzzText {
    static func make(using generator: inout SeededGenerator) -> String {
        var text = ""
        let most = lengths[Int.random(in: lengths.indices, using: &generator)]
        let count = Int.random(in: 0...most, using: &generator)
        for _ in 0..<count { text += piece(using: &generator) }
        return text
    }

    private static let lengths = [3, 12, 40, 200]
    private static let words = [
        "a", "the", "voice", "Dr.", "3.14", "e.g.", "naïve", "Straße", "don't", "U.S.A.", "I", "2026-11-21", "50 %",
        "x²", "Ελλάδα",
        "привет", "你好", "שלום", "مرحبا", "नमस्ते", "😀", "👩‍👩‍👧", "🇩🇪",
    ]
    private static let marks = [
        " ", " ", " ", " ", ". ", ", ", "! ", "? ", "\n", "\n\n", "\t", "—", "…", "(", ")", "\"", "-", ";", "",
    ]

    private static func piece(using generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0...9, using: &generator) {
        case 0...4:
            return words[Int.random(in: words.indices, using: &generator)]
                + marks[Int.random(in: marks.indices, using: &generator)]
        case 5: return marks[Int.random(in: marks.indices, using: &generator)]
        case 6: return String(scalar(in: 0x21...0x7E, using: &generator))
        case 7: return String(scalar(in: 0x80...0x2FFF, using: &generator))
        case 8: return String(scalar(in: 0x1...0x10FFFF, using: &generator))
        default:
            let letter = scalar(in: 0x61...0x7A, using: &generator)
            return String(repeating: Character(letter), count: Int.random(in: 1...60, using: &generator))
        }
    }

    /// Surrogates become the replacement character.
    private static func scalar(in range: ClosedRange<UInt32>, using generator: inout SeededGenerator) -> Unicode.Scalar
    {
        Unicode.Scalar(UInt32.random(in: range, using: &generator)) ?? "\u{FFFD}"
    }
}
