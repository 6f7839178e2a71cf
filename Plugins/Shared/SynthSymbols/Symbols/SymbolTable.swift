/// The IDs of the symbols that Kokoro-82M v1.0 was trained on. All other symbols have no pronunciation and are omitted.
package enum SymbolTable {
    /// The token at the start and end of a run.
    package static let pad: Int64 = 0
    /// The sample rate of the models' audio.
    package static let sampleRate = 24_000

    package static let ids: [Unicode.Scalar: Int64] = [
        ";": 1, ":": 2, ",": 3, ".": 4, "!": 5, "?": 6, "—": 9, "…": 10, "\"": 11, "(": 12, ")": 13, "“": 14,
        "”": 15, " ": 16, "\u{303}": 17, "ʣ": 18, "ʥ": 19, "ʦ": 20, "ʨ": 21, "ᵝ": 22, "ꭧ": 23, "A": 24, "I": 25,
        "O": 31, "Q": 33, "S": 35, "T": 36, "W": 39, "Y": 41, "ᵊ": 42, "a": 43, "b": 44, "c": 45, "d": 46, "e": 47,
        "f": 48, "h": 50, "i": 51, "j": 52, "k": 53, "l": 54, "m": 55, "n": 56, "o": 57, "p": 58, "q": 59, "r": 60,
        "s": 61, "t": 62, "u": 63, "v": 64, "w": 65, "x": 66, "y": 67, "z": 68, "ɑ": 69, "ɐ": 70, "ɒ": 71, "æ": 72,
        "β": 75, "ɔ": 76, "ɕ": 77, "ç": 78, "ɖ": 80, "ð": 81, "ʤ": 82, "ə": 83, "ɚ": 85, "ɛ": 86, "ɜ": 87, "ɟ": 90,
        "ɡ": 92, "ɥ": 99, "ɨ": 101, "ɪ": 102, "ʝ": 103, "ɯ": 110, "ɰ": 111, "ŋ": 112, "ɳ": 113, "ɲ": 114, "ɴ": 115,
        "ø": 116, "ɸ": 118, "θ": 119, "œ": 120, "ɹ": 123, "ɾ": 125, "ɻ": 126, "ʁ": 128, "ɽ": 129, "ʂ": 130, "ʃ": 131,
        "ʈ": 132, "ʧ": 133, "ʊ": 135, "ʋ": 136, "ʌ": 138, "ɣ": 139, "ɤ": 140, "χ": 142, "ʎ": 143, "ʒ": 147, "ʔ": 148,
        "ˈ": 156, "ˌ": 157, "ː": 158, "ʰ": 162, "ʲ": 164, "↓": 169, "→": 171, "↗": 172, "↘": 173, "ᵻ": 177,
    ]
}

/// Converts the punctuation between words to symbols of the vocabulary.
package enum Punctuation {
    /// Marks that are represented by a different character in the vocabulary.
    private static let replacements: [Unicode.Scalar: Unicode.Scalar] = [
        "«": "“", "»": "”", "„": "“", "–": "—", "。": ".", "！": "!", "？": "?", "，": ",", "、": ",", "；": ";", "：": ":",
        "।": ".",
    ]
    private static let kept: Set<Unicode.Scalar> = [
        ";", ":", ",", ".", "!", "?", "—", "…", "\"", "(", ")", "“", "”",
    ]
    package static let stops: Set<Unicode.Scalar> = [".", "!", "?", "…"]

    /// - Parameters:
    ///   - text: The text between one word and the next.
    ///   - endsSentence: If false, a period belongs to an abbreviation and is omitted.
    ///   - opens: Whether the text precedes the first word.
    ///   - closes: Whether the text follows the last word.
    package static func symbols(
        of text: [Unicode.Scalar], endsSentence: Bool, opens: Bool = false, closes: Bool = false,
        isEnglish: Bool
    ) -> [Unicode.Scalar] {
        // The start and end of the text are treated like spaces.
        let text = (opens ? [SpokenSentence.space] : []) + text + (closes ? [SpokenSentence.space] : [])
        var symbols: [Unicode.Scalar] = []
        for (index, scalar) in text.enumerated() {
            if scalar.properties.isWhitespace {
                symbols.append(SpokenSentence.space)
            } else if scalar == "\"", isEnglish {
                // The English training data contains curly quotation marks.
                symbols.append(isOpening(text, index) ? "“" : "”")
            } else if scalar == "-", isEnglish {
                if isDash(text, index) { symbols.append("—") }
            } else if scalar == ".", !endsSentence, !isEllipsis(text, index) {
                continue
            } else {
                let symbol = replacements[scalar] ?? scalar
                if kept.contains(symbol) { symbols.append(symbol) }
            }
        }
        return symbols
    }

    private static func isOpening(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
        guard index > 0 else { return false }
        if text[index - 1].properties.isWhitespace { return true }
        let isBeforeSpace = index + 1 < text.count && text[index + 1].properties.isWhitespace
        return ["(", "[", "—", "–"].contains(text[index - 1]) && !isBeforeSpace
    }

    /// Whether this is the first hyphen of `--`, or a hyphen between spaces. A hyphen directly before a word belongs to the
    /// word: "-5".
    private static func isDash(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
        let before = index > 0 ? text[index - 1] : nil
        guard index + 1 < text.count else { return false }
        if text[index + 1] == "-" { return before != "-" }
        return before?.properties.isWhitespace == true && text[index + 1].properties.isWhitespace
    }

    private static func isEllipsis(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
        let before = index > 0 ? text[index - 1] : SpokenSentence.space
        let after = index + 1 < text.count ? text[index + 1] : SpokenSentence.space
        return before == "." || after == "."
    }
}
