import SynthSystem

struct CueText: Equatable {
    /// One or two lines. Never empty.
    var lines: [String]
    /// The byte range in the sentence's text.
    var range: Range<Int>

    private static let maximumLines = 2
    /// The minimum number of columns in a cue that ends within a sentence. If fewer columns would remain for the next
    /// cue, the text is split into two cues of similar length, unless a clause ends at a suitable position.
    private static let fewColumns = CueToken.lineColumns * maximumLines / 3

    /// Splits a sentence into cue texts of up to two lines. Splits at the end of a clause if a clause ends in the last two
    /// thirds of the cue, and otherwise at a space. Returns an empty array for whitespace.
    static func split(_ text: String) -> [CueText] {
        let tokens = CueToken.tokens(of: text)
        var found: [CueText] = []
        var rest = tokens[...]
        while let first = rest.first {
            let piece = rest.prefix(end(of: rest) - rest.startIndex)
            rest = rest[piece.endIndex...]
            found.append(
                CueText(
                    lines: lines(piece), range: first.range.lowerBound..<(piece.last ?? first).range.upperBound))
        }
        return found
    }

    /// Returns the end of the first cue's text.
    private static func end(of tokens: ArraySlice<CueToken>) -> Int {
        let most = longestEnd(of: tokens)
        if most == tokens.endIndex { return most }
        var best: Int?
        var gap: Int?
        var columns = 0
        for index in tokens.startIndex..<most {
            columns += width(of: tokens[index], isFirst: index == tokens.startIndex)
            guard columns >= fewColumns else { continue }
            if tokens[index].endsClause { best = index + 1 }
            if !tokens[index + 1].isGlued { gap = index + 1 }
        }
        if let best { return best }
        // If the remaining text would be short, split the text into two cues of similar length.
        let left = tokens[most...].prefix(fewColumns).reduce(0) { $0 + width(of: $1, isFirst: false) }
        if left < fewColumns, let middle = middle(of: tokens, before: most, columns: columns + left) { return middle }
        return gap ?? most
    }

    private static func middle(of tokens: ArraySlice<CueToken>, before end: Int, columns: Int) -> Int? {
        var reached = 0
        for index in tokens.startIndex..<end {
            reached += width(of: tokens[index], isFirst: index == tokens.startIndex)
            if reached * 2 >= columns, !tokens[index + 1].isGlued { return index + 1 }
        }
        return nil
    }

    /// Returns the latest possible end of a cue's text, which is reached by filling both lines with as much text as
    /// fits.
    private static func longestEnd(of tokens: ArraySlice<CueToken>) -> Int {
        var line = 1
        var columns = 0
        for index in tokens.indices {
            let more = width(of: tokens[index], isFirst: columns == 0)
            if columns + more <= CueToken.lineColumns {
                columns += more
            } else if line < maximumLines {
                line += 1
                columns = tokens[index].columns
            } else {
                return index
            }
        }
        return tokens.endIndex
    }

    /// Lays out text on one line, or on two lines of nearly equal length.
    private static func lines(_ tokens: ArraySlice<CueToken>) -> [String] {
        let whole = line(tokens)
        let total = tokens.indices.reduce(0) { $0 + width(of: tokens[$1], isFirst: $1 == tokens.startIndex) }
        guard total > CueToken.lineColumns else { return [whole] }
        var best: (cut: Int, difference: Int)?
        var first = 0
        for cut in tokens.indices.dropFirst() {
            first += width(of: tokens[cut - 1], isFirst: cut - 1 == tokens.startIndex)
            let second = total - first - (tokens[cut].isGlued ? 0 : 1)
            guard max(first, second) <= CueToken.lineColumns else { continue }
            let difference = abs(first - second)
            if difference < best?.difference ?? .max { best = (cut, difference) }
        }
        guard let best else { return [whole] }
        return [line(tokens[..<best.cut]), line(tokens[best.cut...])]
    }

    private static func line(_ tokens: ArraySlice<CueToken>) -> String {
        tokens.dropFirst().reduce(into: tokens.first?.text ?? "") { line, token in
            line += token.isGlued ? token.text : " " + token.text
        }
    }

    private static func width(of token: CueToken, isFirst: Bool) -> Int {
        token.columns + (isFirst || token.isGlued ? 0 : 1)
    }
}

/// A part of a sentence that is not broken across lines: a word, part of a word that is wider than a line, or a character
/// in a script without spaces.
struct CueToken: Equatable {
    /// The maximum line length in columns.
    static let lineColumns = 42

    var text: String
    /// The byte range in the sentence's text.
    var range: Range<Int>
    var columns: Int
    /// Whether no space precedes the token.
    var isGlued: Bool
    var endsClause = false

    private static let clauseMarks: Set<Character> = [
        ",", ";", ":", ".", "!", "?", "…", "—", "–", "،", "؛", "؟", "۔", "।", "、", "。", "，", "；", "：", "！", "？",
    ]
    private static let closers: Set<Character> = [
        "\"", "'", "”", "’", "»", ")", "]", "}", "」", "』", "）", "】", "》", "〉",
    ]

    /// Splits text without line breaks into tokens.
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

    /// Whether a line may break at this character because it is a space.
    private static func isSpace(_ character: Character) -> Bool {
        guard character.isWhitespace else { return false }
        return !["\u{A0}", "\u{202F}", "\u{2007}"].contains(character)
    }

    /// Whether a line may break between the token and the character, although no space separates them.
    private static func breaks(after token: CueToken, before character: Character) -> Bool {
        guard let last = token.text.last, isIdeographic(last) || isIdeographic(character) else { return false }
        return !clauseMarks.contains(character) && !closers.contains(character)
    }

    /// Whether the character belongs to a script without spaces between words.
    private static func isIdeographic(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return (0x2E80..<0xA4D0).contains(scalar.value) || (0xF900..<0xFB00).contains(scalar.value)
            || (0xFF00..<0xFFF0).contains(scalar.value) || (0x20000..<0x40000).contains(scalar.value)
    }
}
