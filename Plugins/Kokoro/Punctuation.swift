/// What stands between two words of a text, as symbols of the vocabulary.
enum Punctuation {
    /// Signs of the text that the vocabulary writes otherwise.
    private static let replacements: [Unicode.Scalar: Unicode.Scalar] = [
        "«": "“", "»": "”", "„": "“", "–": "—", "。": ".", "！": "!", "？": "?", "，": ",", "、": ",", "；": ";", "：": ":",
        "।": ".",
    ]
    private static let kept: Set<Unicode.Scalar> = [
        ";", ":", ",", ".", "!", "?", "—", "…", "\"", "(", ")", "“", "”",
    ]
    static let stops: Set<Unicode.Scalar> = [".", "!", "?", "…"]

    /// - Parameters:
    ///   - text: What stands between two words.
    ///   - endsSentence: A full stop elsewhere belongs to an abbreviation.
    static func symbols(
        of text: [Unicode.Scalar], endsSentence: Bool, _ language: KokoroLanguage
    ) -> [Unicode.Scalar] {
        var symbols: [Unicode.Scalar] = []
        for (index, scalar) in text.enumerated() {
            let isAtStart = index == 0 || text[index - 1].properties.isWhitespace
            let isAtEnd = index == text.count - 1 || text[index + 1].properties.isWhitespace
            if scalar.properties.isWhitespace {
                symbols.append(SpokenSentence.space)
            } else if scalar == "\"", language.isEnglish {
                // The English of the training has curly ones.
                symbols.append(isAtStart && index > 0 || isAtStart && !isAtEnd ? "“" : "”")
            } else if scalar == "-", language.isEnglish {
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

    /// The first sign of `--`, or one that stands alone.
    private static func isDash(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
        let before = index > 0 ? text[index - 1] : SpokenSentence.space
        let behind = index + 1 < text.count ? text[index + 1] : SpokenSentence.space
        if behind == "-" { return before != "-" }
        return before.properties.isWhitespace && behind.properties.isWhitespace && text.count > 1
    }

    private static func isEllipsis(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
        let before = index > 0 ? text[index - 1] : SpokenSentence.space
        let behind = index + 1 < text.count ? text[index + 1] : SpokenSentence.space
        return before == "." || behind == "."
    }
}
