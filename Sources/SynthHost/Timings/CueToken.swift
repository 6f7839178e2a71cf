import System

/// A piece of a sentence that stays on one line of a subtitle: a word, a part of one that is wider than a line, or a
/// character of a script that breaks lines anywhere.
struct CueToken: Equatable {
    /// The most columns of a line.
    static let lineColumns = 42

    var text: String
    /// Its bytes in the sentence's text.
    var range: Range<Int>
    var columns: Int
    /// Whether it touches the one before it.
    var isGlued: Bool
    /// Whether a clause ends with it.
    var endsClause = false

    private static let clauseMarks: Set<Character> = [
        ",", ";", ":", ".", "!", "?", "…", "—", "–", "،", "؛", "؟", "۔", "।", "、", "。", "，", "；", "：", "！", "？",
    ]
    private static let closers: Set<Character> = [
        "\"", "'", "”", "’", "»", ")", "]", "}", "」", "』", "）", "】", "》", "〉",
    ]

    /// The pieces of a text, which has no line breaks.
    static func tokens(of text: String) -> [CueToken] {
        var tokens: [CueToken] = []
        var open: CueToken?
        var offset = 0
        func close() {
            guard var token = open else { return }
            token.endsClause = token.text.last { !closers.contains($0) }.map(clauseMarks.contains) ?? false
            tokens.append(token)
            open = nil
        }
        for character in text {
            let start = offset
            offset += character.utf8.count
            if isSpace(character) {
                close()
                continue
            }
            let columns = DisplayWidth.columns(character)
            let isAttached = open != nil
            if let token = open, token.columns + columns > lineColumns || breaks(after: token, before: character) {
                close()
            }
            if var token = open {
                token.text.append(character)
                token.range = token.range.lowerBound..<offset
                token.columns += columns
                open = token
            } else {
                open = CueToken(
                    text: String(character), range: start..<offset, columns: columns, isGlued: isAttached)
            }
        }
        close()
        return tokens
    }

    /// A space at which a line may break.
    private static func isSpace(_ character: Character) -> Bool {
        guard character.isWhitespace else { return false }
        return !["\u{A0}", "\u{202F}", "\u{2007}"].contains(character)
    }

    /// Whether a line may break there although there is no space.
    private static func breaks(after token: CueToken, before character: Character) -> Bool {
        guard let last = token.text.last, isIdeographic(last) || isIdeographic(character) else { return false }
        return !clauseMarks.contains(character) && !closers.contains(character)
    }

    /// Of a script without spaces between its words.
    private static func isIdeographic(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return (0x2E80..<0xA4D0).contains(scalar.value) || (0xF900..<0xFB00).contains(scalar.value)
            || (0xFF00..<0xFFF0).contains(scalar.value) || (0x20000..<0x40000).contains(scalar.value)
    }
}
