import SynthSymbols

/// Converts espeak-ng's IPA to the symbols that Kokoro was trained on.
///
/// The mapping follows the rules of misaki, which produced the phonemes in the training data: letters joined by a tie
/// (U+0361) become one symbol.
enum SymbolMapping {
    /// Rules for English. Each rule precedes any rule that is a prefix of it.
    private static let english = SymbolRules.rules([
        "ʔˌn\u{329} tn", "ʔn\u{329} tn", "a͡ɪ I", "a͡ʊ W", "d͡ʒ ʤ", "e͡ɪ A", "t͡ʃ ʧ", "ɔ͡ɪ Y", "ə͡l ᵊl", "ʲo jo", "ʲə jə",
        "ʲ", "ɚ əɹ", "r ɹ", "x k", "ç k", "ɐ ə", "ɬ l", "\u{303}", "ʔ t", "ɾ T",
    ])

    private static let american = SymbolRules.rules(["o͡ʊ O", "e A", "ɜːɹ ɜɹ", "ɜː ɜɹ", "ɪ͡ə iə", "ɪə iə", "ː", "o ɔ"])
    private static let british = SymbolRules.rules(["e͡ə ɛː", "ə͡ʊ Q", "e A", "i͡ə ɪə", "iə ɪə", "o ɔ"])

    private static let syllabic: Unicode.Scalar = "\u{329}"

    /// - Parameter phonemes: IPA with ties between letters that form one phoneme.
    static func symbols(_ phonemes: [Unicode.Scalar], _ language: KokoroLanguage) -> [Unicode.Scalar] {
        var symbols = phonemes
        if language.isEnglish {
            symbols = SymbolRules.replacing(symbols, by: english)
            symbols = withSyllables(symbols)
            symbols = SymbolRules.replacing(symbols, by: language == .british ? british : american)
            symbols.removeAll { $0 == SymbolRules.tie }
            symbols = withSingleR(symbols)
        } else {
            symbols = SymbolRules.replacing(symbols, by: SymbolRules.pairs)
            symbols.removeAll { $0 == SymbolRules.tie || $0 == "-" }
        }
        return symbols
    }

    /// Removes the second of two r symbols that espeak-ng writes between vowels: the first r belongs to the preceding
    /// vowel, and the second is a linking r.
    private static func withSingleR(_ symbols: [Unicode.Scalar]) -> [Unicode.Scalar] {
        symbols.enumerated().filter { $0.offset == 0 || $0.element != "ɹ" || symbols[$0.offset - 1] != "ɹ" }
            .map(\.element)
    }

    /// Inserts a short vowel before a syllabic consonant.
    private static func withSyllables(_ symbols: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        for symbol in symbols {
            if symbol != syllabic {
                result.append(symbol)
            } else if let last = result.popLast() {
                result += [" ", "\n"].contains(last) ? [last] : ["ᵊ", last]
            }
        }
        return result
    }
}
