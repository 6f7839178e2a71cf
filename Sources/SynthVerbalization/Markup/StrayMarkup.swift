/// Finds leftover Markdown and HTML in plain text, and punctuation that is repeated for emphasis.
///
/// Removes tags, comments, link URLs, lines of dashes, and the markup for emphasis, headings, lists, quotes, code and
/// tables. Replaces references such as `&amp;` with the corresponding characters, table rows with comma-separated
/// lists, and "!!!" with "!". Leaves other text unchanged: "3 * 4", "snake_case", "5 < 7", "[1]", "--verbose".
package enum StrayMarkup {
    /// Returns the replacements for markup, sorted by position and without overlaps. Runs in linear time.
    ///
    /// Verbalizing the result is a separate step.
    package static func replacements(in text: String) -> [Replacement] {
        if let note = TrailingNote.range(in: text.utf8Span.span) {
            var rest = Array(text.utf8)
            rest.removeSubrange(note)
            let others = replacements(in: String(decoding: rest, as: UTF8.self))
            // Only a quotation mark can follow the footnote number, and quotation marks are not markup.
            return others.filter { $0.range.upperBound <= note.lowerBound }
                + [Replacement(range: note, words: "", kind: "note")]
        }
        guard MarkupScan.hasWork(text.utf8Span.span) else { return [] }
        let bytes = Array(text.utf8)
        guard bytes.contains(where: isSign) else { return [] }
        if isDecoration(text) {
            return bytes.isEmpty ? [] : [Replacement(range: 0..<bytes.count, words: "", kind: "punctuation")]
        }
        var scanner = MarkupScanner(bytes)
        return scanner.replacements()
    }

    /// Whether markup can start with this byte.
    private static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23, 0x26, 0x2A, 0x2B, 0x2D, 0x2E, 0x2F, 0x3C, 0x3D, 0x3E, 0x3F, 0x5B, 0x5C, 0x5F, 0x60, 0x7C, 0x7E:
            true
        default: false
        }
    }

    private static let decoration = Set<Unicode.Scalar>(" \t\r\n!?.,;:*-_~#=|<>()[]{}\"'`^/\\—–…•·".unicodeScalars)

    /// Whether the text consists only of punctuation marks, whose names an engine would speak.
    private static func isDecoration(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(decoration.contains) }
}

/// A quick check for markup, so that most plain sentences need no full scan.
enum MarkupScan {
    static func hasWork(_ text: Span<UInt8>) -> Bool {
        var isLineStart = true
        var hasWords = false
        for offset in 0..<text.count {
            let byte = text[offset]
            switch byte {
            // Among the non-ASCII characters, only those whose first UTF-8 byte is C2 or E2 can be punctuation.
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0xC3...0xE1, 0xE3...: hasWords = true
            case 0x20: continue
            case 0x0A:
                isLineStart = true
                continue
            // < & \ [ ] * ~ _ `
            case 0x3C, 0x26, 0x5C, 0x5B, 0x5D, 0x2A, 0x7E, 0x5F, 0x60: return true
            // # > - + |
            case 0x23, 0x3E, 0x2D, 0x2B, 0x7C:
                if isLineStart || isRow(text, offset) { return true }
            // ! ? = . /
            case 0x21, 0x3F, 0x3D, 0x2E, 0x2F:
                if isRow(text, offset) { return true }
            default: break
            }
            isLineStart = false
        }
        return !hasWords
    }

    /// Whether the next character is the same character or, for ! and ?, either of these two characters.
    private static func isRow(_ text: Span<UInt8>, _ offset: Int) -> Bool {
        guard offset + 1 < text.count else { return false }
        let (sign, next) = (text[offset], text[offset + 1])
        return next == sign || (sign == 0x21 && next == 0x3F) || (sign == 0x3F && next == 0x21)
    }
}

/// A footnote number that directly follows the last sentence: "closed.12", "“the pit.”7".
enum TrailingNote {
    private static let numbered = Set(NumberedWords.all.split(separator: " ").map(String.init))
    private static let longest = 16

    /// Returns the byte range of the number, or nil if there is none.
    static func range(in text: Span<UInt8>) -> Range<Int>? {
        var end = text.count
        while end > 0, text[end - 1] == 0x20 || text[end - 1] == 0x22 { end -= 1 }
        var start = end
        while start > 0, end - start < 4, (0x30...0x39).contains(text[start - 1]) { start -= 1 }
        guard (1...3).contains(end - start), start > 2, text[start] != 0x30 else { return nil }
        var stop = start
        // Skip one closing character: " ) “ ” or ».
        if text[stop - 1] == 0x22 || text[stop - 1] == 0x29 {
            stop -= 1
        } else if stop > 3, text[stop - 3] == 0xE2, text[stop - 2] == 0x80, text[stop - 1] | 1 == 0x9D {
            stop -= 3
        } else if text[stop - 2] == 0xC2, text[stop - 1] == 0xBB {
            stop -= 2
        }
        guard stop > 1, [0x21, 0x2E, 0x3F].contains(text[stop - 1]) else { return nil }
        stop -= 1
        if text[stop] != 0x2E { return isLetter(text[stop - 1]) ? start..<end : nil }
        var word: [UInt8] = []
        var cursor = stop
        while cursor > 0, isLetter(text[cursor - 1]), word.count < longest {
            cursor -= 1
            word.append(text[cursor])
        }
        let isApart = cursor == 0 || [0x20, 0x22, 0x28, 0x27, 0x2D].contains(text[cursor - 1]) || word.count == longest
        let isKnown = numbered.contains(String(decoding: word.reversed(), as: UTF8.self).lowercased())
        let isName = word.count <= 4 && word.last.map { (0x41...0x5A).contains($0) } == true
        return isApart && word.count > 1 && !isKnown && !isName ? start..<end : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80 }
}
