/// A text of simple words and numbers that is determined by its seed. The lengths of twenty consecutive seeds range
/// from one word to three thousand.
struct Paragraph {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 33
        }
    }

    private static let vocabulary = [
        "harbour", "button", "kitten", "mountain", "the", "of", "a", "to", "quiet", "seven", "walked", "under", "never",
        "language", "rhythm", "was", "and", "judge", "with", "thirty", "yellow", "remember", "go", "water", "in", "an",
        "open", "elephant", "1998", "$19.99", "don't", "well-known", "25", "I", "for", "church", "air", "singing",
        "beautiful", "thought", "measure", "from", "boy",
    ]
    private static let lengths = [
        1, 2, 3, 4, 6, 9, 13, 20, 30, 45, 65, 95, 140, 200, 300, 450, 650, 1000, 1700, 3000,
    ]

    let words: [String]
    let text: String

    init(seed: Int) {
        var generator = Generator(state: UInt64(seed) &* 7919 &+ 17)
        var words: [String] = []
        var text = ""
        while words.count < Self.lengths[seed % Self.lengths.count] {
            let word = Self.vocabulary.randomElement(using: &generator) ?? "word"
            words.append(word)
            if !text.isEmpty { text += " " }
            text += word
            let mark = Int.random(in: 0..<30, using: &generator)
            if mark < 7 { text += [".", "!", "?", ",", ";", ",", "."][mark] }
        }
        self.words = words
        self.text = text + "."
    }
}
