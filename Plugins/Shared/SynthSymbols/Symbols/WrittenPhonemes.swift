/// Rules that replace IPA letters with Kokoro's symbols, including those that apply to all languages.
package enum SymbolRules {
    /// A sequence of scalars and its replacement.
    package typealias Rule = (from: [Unicode.Scalar], to: [Unicode.Scalar])

    package static let tie: Unicode.Scalar = "\u{361}"

    /// Pairs of letters that form one phoneme in every language.
    package static let pairs = rules([
        "a͡ɪ I", "a͡ʊ W", "d͡z ʣ", "d͡ʒ ʤ", "e͡ɪ A", "o͡ʊ O", "ə͡ʊ Q", "s͡s S", "t͡s ʦ", "t͡ʃ ʧ", "ɔ͡ɪ Y",
    ])

    /// The same pairs without ties, which people usually omit. Pairs that may also represent two phonemes, as in
    /// "cats", are not included.
    private static let plainPairs = rules(["aɪ I", "aʊ W", "dʒ ʤ", "eɪ A", "oʊ O", "əʊ Q", "tʃ ʧ", "ɔɪ Y"])

    /// Returns the symbols for IPA written by hand, with or without ties. Kokoro's own symbols are unchanged.
    package static func symbols(written phonemes: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var symbols = replacing(phonemes, by: pairs)
        symbols.removeAll { $0 == tie }
        return replacing(symbols, by: plainPairs).map { $0 == "g" ? "ɡ" : $0 }
    }

    package static func replacing(_ symbols: [Unicode.Scalar], by rules: [Rule]) -> [Unicode.Scalar] {
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

    package static func rules(_ lines: [String]) -> [Rule] {
        lines.map { line in
            let parts = line.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
            return (Array(parts[0]), parts.count > 1 ? Array(parts[1]) : [])
        }
    }
}

/// Converts space-separated IPA words.
package enum WrittenPhonemes {
    package static func sentence(_ text: String) -> SpokenSentence {
        var sentence = SpokenSentence(bytes: 0..<text.utf8.count)
        var word = ""
        var start = 0
        var position = 0
        func finish() {
            let symbols = SymbolRules.symbols(written: Array(word.unicodeScalars))
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
