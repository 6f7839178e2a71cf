/// English words that the training data reads differently from espeak-ng.
enum EnglishWords {
    /// A full stop after one of these ends no sentence.
    static let titles: Set<String> = [
        "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Mt", "Sr", "Jr", "Gen", "Col", "Capt", "Lt", "Sgt", "Rev", "Hon", "vs",
    ]

    /// They sound differently by context, and a capital letter never stresses them.
    static let contextual: Set<String> = ["a", "an", "am", "i", "in", "the", "to", "used"]

    /// The unstressed forms of words that then have another vowel.
    private static let weak = table(["a ɐ", "an ɐn", "am ɐm"])

    /// Words that the training data reads the same everywhere, while espeak-ng stresses them by their clause.
    private static let american = table([
        "are ɑɹ", "been bɪn", "did dˈɪd", "every ˈɛvəɹi", "for fɔɹ", "has hæz", "not nˌɑt", "of ʌv", "on ˌɔn",
    ])
    private static let british = table([
        "are ɑː", "been biːn", "did dˈɪd", "every ˈɛvəɹi", "for fɔː", "has haz", "not nˌɒt", "of ɒv", "on ˌɒn",
        "one wˈʌn", "once wˈʌns",
    ])

    /// Words of two vowels without a main stress.
    private static let unstressed: Set<String> = ["our"]

    private static let voiceless = Set("ptkfθ".unicodeScalars)
    private static let vowels = Set("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ".unicodeScalars)

    /// - Parameter spoken: What espeak-ng says at this place in the text.
    static func symbols(of text: String, spoken: [Unicode.Scalar], _ language: KokoroLanguage) -> [Unicode.Scalar] {
        let word = text.lowercased()
        var spoken = spoken
        // "Kate's": espeak-ng always says z.
        if word.hasSuffix("'s") || word.hasSuffix("’s"), spoken.last == "z", let before = spoken.dropLast().last,
            voiceless.contains(before)
        {
            spoken[spoken.count - 1] = "s"
        }
        if let known = (language == .british ? british : american)[word] { return stressed(known, as: text) }
        // Before a vowel.
        if word == "the" { return spoken.map { $0 == "ɪ" ? "i" : $0 } }
        if spoken.contains("ˈ") { return spoken }
        if let mark = spoken.firstIndex(of: "ˌ") {
            // "over", "between": espeak-ng weakens every preposition, the training data only those of one syllable.
            guard spoken.count(where: vowels.contains) > 1, !unstressed.contains(word) else { return spoken }
            var symbols = spoken
            symbols[mark] = "ˈ"
            return symbols
        }
        // The training data always stresses it a little.
        if text == "I" { return ["ˌ"] + spoken }
        return weak[word] ?? stressed(spoken, as: text)
    }

    /// A first capital gives an unstressed word a secondary stress; a word in capitals gets the main stress.
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
