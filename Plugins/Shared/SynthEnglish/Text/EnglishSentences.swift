/// Where the sentences of an English text are.
package enum EnglishSentences {
    private static let ends: Set<String> = [".", "!", "?", "…"]

    /// Ranges in the UTF-8 of the text, in order, that together cover it. A stop of an abbreviation ("Dr.", "U.S.")
    /// ends none, unless nothing follows.
    package static func ranges(of text: String) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        var isEnding = false
        var wasBeforeSpace = false
        for token in Tokens.tokens(of: text) {
            if isEnding, wasBeforeSpace {
                ranges.append(start..<token.bytes.lowerBound)
                start = token.bytes.lowerBound
                isEnding = false
            }
            if ends.contains(token.text) || token.text.count > 1 && token.text.allSatisfy({ $0 == "." }) {
                isEnding = true
            } else if token.isWord {
                isEnding = false
            }
            wasBeforeSpace = token.isBeforeSpace
        }
        if start < text.utf8.count { ranges.append(start..<text.utf8.count) }
        return ranges
    }
}
