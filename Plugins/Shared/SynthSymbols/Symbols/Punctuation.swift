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
