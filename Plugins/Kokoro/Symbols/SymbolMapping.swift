/// espeak-ng's IPA as the symbols that Kokoro was trained on.
///
/// It follows the rules of misaki, which made the phonemes of the training data: letters that espeak-ng ties (U+0361)
/// are one symbol.
enum SymbolMapping {
    private typealias Rule = (from: [Unicode.Scalar], to: [Unicode.Scalar])

    /// Two letters that are one sound, in any language.
    private static let pairs = rules([
        "a͡ɪ I", "a͡ʊ W", "d͡z ʣ", "d͡ʒ ʤ", "e͡ɪ A", "o͡ʊ O", "ə͡ʊ Q", "s͡s S", "t͡s ʦ", "t͡ʃ ʧ", "ɔ͡ɪ Y",
    ])

    /// The same without ties, as people write phonemes, except pairs that can also be two sounds ("cats").
    private static let plainPairs = rules(["aɪ I", "aʊ W", "dʒ ʤ", "eɪ A", "oʊ O", "əʊ Q", "tʃ ʧ", "ɔɪ Y"])

    /// Symbols for English, which has fewer sounds. A rule stands before those whose letters it begins with.
    private static let english = rules([
        "ʔˌn\u{329} tn", "ʔn\u{329} tn", "a͡ɪ I", "a͡ʊ W", "d͡ʒ ʤ", "e͡ɪ A", "t͡ʃ ʧ", "ɔ͡ɪ Y", "ə͡l ᵊl", "ʲo jo", "ʲə jə",
        "ʲ", "ɚ əɹ", "r ɹ", "x k", "ç k", "ɐ ə", "ɬ l", "\u{303}", "ʔ t", "ɾ T",
    ])

    private static let american = rules(["o͡ʊ O", "e A", "ɜːɹ ɜɹ", "ɜː ɜɹ", "ɪ͡ə iə", "ɪə iə", "ː", "o ɔ"])
    private static let british = rules(["e͡ə ɛː", "ə͡ʊ Q", "e A", "i͡ə ɪə", "iə ɪə", "o ɔ"])

    private static let tie: Unicode.Scalar = "\u{361}"
    private static let syllabic: Unicode.Scalar = "\u{329}"

    /// - Parameter phonemes: With ties between letters that are one sound.
    static func symbols(_ phonemes: [Unicode.Scalar], _ language: KokoroLanguage) -> [Unicode.Scalar] {
        var symbols = phonemes
        if language.isEnglish {
            symbols = replacing(symbols, by: english)
            symbols = withSyllables(symbols)
            symbols = replacing(symbols, by: language == .british ? british : american)
            symbols.removeAll { $0 == tie }
            symbols = withSingleR(symbols)
        } else {
            symbols = replacing(symbols, by: pairs)
            symbols.removeAll { $0 == tie || $0 == "-" }
        }
        return symbols
    }

    /// Symbols for IPA that a person wrote, with or without ties. Kokoro's own symbols stay as they are.
    static func symbols(written phonemes: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var symbols = replacing(phonemes, by: pairs)
        symbols.removeAll { $0 == tie }
        return replacing(symbols, by: plainPairs).map { $0 == "g" ? "ɡ" : $0 }
    }

    /// Removes the second r that espeak-ng writes between two vowels: one ends the first vowel, the other links to the
    /// second.
    private static func withSingleR(_ symbols: [Unicode.Scalar]) -> [Unicode.Scalar] {
        symbols.enumerated().filter { $0.offset == 0 || $0.element != "ɹ" || symbols[$0.offset - 1] != "ɹ" }
            .map(\.element)
    }

    /// Puts a short vowel before a consonant that is a syllable of its own.
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

    private static func replacing(_ symbols: [Unicode.Scalar], by rules: [Rule]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        result.reserveCapacity(symbols.count)
        var index = 0
        while index < symbols.count {
            if let rule = rules.first(where: { symbols[index...].starts(with: $0.from) }) {
                result += rule.to
                index += rule.from.count
            } else {
                result.append(symbols[index])
                index += 1
            }
        }
        return result
    }

    private static func rules(_ lines: [String]) -> [Rule] {
        lines.map { line in
            let parts = line.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
            return (Array(parts[0]), parts.count > 1 ? Array(parts[1]) : [])
        }
    }
}

/// A text that is IPA, words separated by a space.
enum WrittenPhonemes {
    static func sentence(_ text: String) -> SpokenSentence {
        var sentence = SpokenSentence(bytes: 0..<text.utf8.count)
        var word = ""
        var start = 0
        var position = 0
        func finish() {
            let symbols = SymbolMapping.symbols(written: Array(word.unicodeScalars))
            sentence.append(word: symbols.filter { SymbolTable.ids[$0] != nil }, from: start..<position)
            word = ""
        }
        for character in text {
            if character.isWhitespace {
                finish()
                sentence.append(SpokenSentence.space)
            } else {
                if word.isEmpty { start = position }
                word.append(character)
            }
            position += character.utf8.count
        }
        finish()
        sentence.removeTrailingSpace()
        return sentence
    }
}
