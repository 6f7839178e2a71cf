/// English words that the training reads otherwise than espeak-ng does.
enum EnglishWords {
    /// Their full stop ends no sentence.
    static let titles: Set<String> = [
        "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Mt", "Sr", "Jr", "Gen", "Col", "Capt", "Lt", "Sgt", "Rev", "Hon", "vs",
    ]

    /// They sound by what stands around them, and never get a stress from a capital letter.
    static let contextual: Set<String> = ["a", "an", "am", "i", "in", "the", "to", "used"]

    /// Without stress these have a vowel of their own.
    private static let weak = table(["a ɐ", "an ɐn", "am ɐm"])

    /// What the training says in every place, of words whose stress espeak-ng takes from the clause.
    private static let american = table([
        "are ɑɹ", "been bɪn", "did dˈɪd", "every ˈɛvəɹi", "for fɔɹ", "has hæz", "not nˌɑt", "of ʌv", "on ˌɔn",
    ])
    private static let british = table([
        "are ɑː", "been biːn", "did dˈɪd", "every ˈɛvəɹi", "for fɔː", "has haz", "not nˌɒt", "of ɒv", "on ˌɒn",
        "one wˈʌn", "once wˈʌns",
    ])

    /// Two vowels and yet no main stress.
    private static let unstressed: Set<String> = ["our"]

    private static let vowels = Set("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ".unicodeScalars)

    /// - Parameter spoken: What espeak-ng says in this place.
    static func symbols(of text: String, spoken: [Unicode.Scalar], _ language: KokoroLanguage) -> [Unicode.Scalar] {
        let word = text.lowercased()
        if let known = (language == .british ? british : american)[word] { return stressed(known, as: text) }
        // Before a vowel.
        if word == "the" { return spoken.map { $0 == "ɪ" ? "i" : $0 } }
        if spoken.contains("ˈ") { return spoken }
        if let mark = spoken.firstIndex(of: "ˌ") {
            // "over", "between": espeak-ng weakens every preposition, the training only those of one syllable.
            guard spoken.count(where: vowels.contains) > 1, !unstressed.contains(word) else { return spoken }
            var symbols = spoken
            symbols[mark] = "ˈ"
            return symbols
        }
        // Never quite without stress in the training.
        if text == "I" { return ["ˌ"] + spoken }
        return weak[word] ?? stressed(spoken, as: text)
    }

    /// A capital letter makes a word that has no stress a little heavier, capitals all through make it heavy.
    static func stressed(_ symbols: [Unicode.Scalar], as text: String) -> [Unicode.Scalar] {
        guard text != text.lowercased(), !contextual.contains(text.lowercased()) else { return symbols }
        let isLoud = text.count > 1 && text == text.uppercased()
        if symbols.contains("ˈ") { return symbols }
        if let mark = symbols.firstIndex(of: "ˌ") {
            guard isLoud else { return symbols }
            var loud = symbols
            loud[mark] = "ˈ"
            return loud
        }
        guard let vowel = symbols.firstIndex(where: vowels.contains) else { return symbols }
        return symbols[..<vowel] + [isLoud ? "ˈ" : "ˌ"] + symbols[vowel...]
    }

    private static func table(_ lines: [String]) -> [String: [Unicode.Scalar]] {
        lines.reduce(into: [:]) { table, line in
            let parts = line.split(separator: " ")
            if parts.count == 2 { table[String(parts[0])] = Array(parts[1].unicodeScalars) }
        }
    }
}
