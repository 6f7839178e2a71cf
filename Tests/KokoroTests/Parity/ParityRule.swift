/// A systematic difference between this reader and misaki's rules for espeak-ng. Applying the rule to both makes their
/// symbols equal.
enum ParityRule: String, CaseIterable {
    /// espeak-ng writes an r between two vowels twice, and also writes a British linking r.
    case linkingR
    /// misaki's rules do not match British eə and iə, because espeak-ng writes them with a tie; misaki's phoneme set
    /// contains ɛː and ɪə.
    case british
    /// misaki does not treat Hindi's danda as punctuation.
    case danda

    func applied(to symbols: String, _ language: String) -> String {
        switch self {
        case .linkingR:
            guard ["a", "b"].contains(language) else { return symbols }
            var single = symbols
            while single.contains("ɹɹ") { single = single.replacing("ɹɹ", with: "ɹ") }
            return language == "b" ? Self.withoutLinkingR(single) : single
        case .british:
            return language == "b" ? symbols.replacing("Aə", with: "ɛː").replacing("iə", with: "ɪə") : symbols
        case .danda: return language == "h" && symbols.last == "." ? String(symbols.dropLast()) : symbols
        }
    }

    /// Removes every r before a vowel.
    private static func withoutLinkingR(_ symbols: String) -> String {
        let scalars = Array(symbols.unicodeScalars)
        let kept = scalars.indices.filter { index in
            guard scalars[index] == "ɹ" else { return true }
            let next = scalars[(index + 1)...].first { !" ˈˌ".unicodeScalars.contains($0) }
            return next.map { !"AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ".unicodeScalars.contains($0) } ?? true
        }
        return String(String.UnicodeScalarView(kept.map { scalars[$0] }))
    }

    /// - Parameter left: A rule to skip.
    static func alike(_ symbols: String, _ language: String, without left: ParityRule? = nil) -> String {
        allCases.filter { $0 != left }.reduce(symbols) { $1.applied(to: $0, language) }
    }
}
