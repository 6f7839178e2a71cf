/// English words that the training reads otherwise than espeak-ng does.
enum EnglishWords {
    /// Their full stop ends no sentence.
    static let titles: Set<String> = [
        "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Mt", "Sr", "Jr", "Gen", "Col", "Capt", "Lt", "Sgt", "Rev", "Hon", "vs",
    ]

    /// Without stress these have a vowel of their own.
    private static let weak: [String: [Unicode.Scalar]] = [
        "a": ["ɐ"], "an": ["ɐ", "n"], "am": ["ɐ", "m"],
    ]

    /// Two vowels and yet no main stress.
    private static let unstressed: Set<String> = ["our"]

    private static let vowels = Set("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ".unicodeScalars)

    /// - Parameter spoken: What espeak-ng says in this place.
    static func symbols(of text: String, spoken: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        if spoken.contains("ˈ") { return nil }
        let word = text.lowercased()
        if let mark = spoken.firstIndex(of: "ˌ") {
            // "over", "between": espeak-ng weakens every preposition, the training only those of one syllable.
            guard spoken.count(where: vowels.contains) > 1, !unstressed.contains(word) else { return nil }
            var symbols = spoken
            symbols[mark] = "ˈ"
            return symbols
        }
        // Never quite without stress in the training.
        if text == "I" { return ["ˌ"] + spoken }
        return weak[word]
    }
}
