/// A systematic difference between this reader and misaki's rules for espeak-ng, for something that misaki does outside
/// of these rules. Applied to both sides, it makes them equal.
enum ParityRule: String, CaseIterable {
    /// espeak-ng joins small words (“of the”); misaki's English reads word by word.
    case spaces
    /// misaki's own list has ɐ for “a” and “an”; its rules for espeak-ng make it ə.
    case article
    /// misaki's own list has ˌI for “I”.
    case first
    /// misaki's own list has a main stress for “over” and “between”, none for “are”, and a capital letter gives one.
    case stress
    /// misaki's own list has one vowel for “for”, “of”, “has” and a few more, whatever the clause.
    case vowels
    /// misaki's English makes straight quotation marks curly before espeak-ng is asked.
    case quotes
    /// espeak-ng writes an r between two vowels twice, and a British one that only links two words.
    case linkingR
    /// espeak-ng taps a t before the next word's vowel; misaki's English never sees two words.
    case tap
    /// misaki's rules miss British eə and iə because of the tie; its list of phonemes has ɛː and ɪə.
    case british
    /// misaki does not know Hindi's danda as punctuation.
    case danda

    func applied(to symbols: String, _ language: String) -> String {
        let isEnglish = language == "a" || language == "b"
        switch self {
        case .spaces: return symbols.replacing(" ", with: "")
        case .article: return isEnglish ? symbols.replacing("ɐ", with: "ə") : symbols
        case .first: return isEnglish ? " \(symbols)".replacing(" ˌI ", with: " I ") : symbols
        case .stress: return isEnglish ? symbols.filter { $0 != "ˌ" && $0 != "ˈ" } : symbols
        case .vowels:
            guard isEnglish else { return symbols }
            let pairs = [
                ("fəð", "fɔːð"), ("fəɹə", "fɔːɹə"), ("fəɹ", "fɔɹ"), ("əv", "ʌv"), ("bin", "bɪn"), ("ðɪ", "ði"),
                ("həz", "hæz"), ("haz", "hæz"),
                ("ɛvɹi", "ɛvəɹi"), ("ɛvɹɪ", "ɛvəɹi"), ("wɒn", "wʌn"), ("ɒv", "ʌv"),
            ]
            return pairs.reduce(symbols) { $0.replacing($1.0, with: $1.1) }
        case .quotes: return isEnglish ? symbols.filter { !"\"“”".contains($0) } : symbols
        case .linkingR:
            guard isEnglish else { return symbols }
            var single = symbols
            while single.contains("ɹɹ") { single = single.replacing("ɹɹ", with: "ɹ") }
            return language == "b" ? Self.withoutLinkingR(single) : single
        case .tap: return isEnglish ? symbols.replacing("T ", with: "t ") : symbols
        case .british:
            return language == "b" ? symbols.replacing("Aə", with: "ɛː").replacing("iə", with: "ɪə") : symbols
        case .danda: return language == "h" && symbols.last == "." ? String(symbols.dropLast()) : symbols
        }
    }

    /// Without any r before a vowel, because nothing shows which r links two words that espeak-ng joins. The test of
    /// single words compares their r.
    private static func withoutLinkingR(_ symbols: String) -> String {
        let scalars = Array(symbols.unicodeScalars)
        let kept = scalars.indices.filter { index in
            guard scalars[index] == "ɹ" else { return true }
            let next = scalars[(index + 1)...].first { !" ˈˌ".unicodeScalars.contains($0) }
            return next.map { !"AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ".unicodeScalars.contains($0) } ?? true
        }
        return String(String.UnicodeScalarView(kept.map { scalars[$0] }))
    }

    /// - Parameter left: A rule that is not applied.
    static func alike(_ symbols: String, _ language: String, without left: ParityRule? = nil) -> String {
        // Rules that need spaces come before the one that removes them.
        (allCases.filter { $0 != .spaces } + [.spaces]).filter { $0 != left }
            .reduce(symbols) { $1.applied(to: $0, language) }
    }
}
