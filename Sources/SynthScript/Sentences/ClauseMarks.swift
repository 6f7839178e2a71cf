/// The marks inside an utterance as every engine reads them alike: engines end a sentence at the full stop of an
/// abbreviation, and overlook a dash that no spaces surround.
///
/// * The full stop of an abbreviation, of initials and of an ordinal is left out before what an engine takes for a new
///   sentence: "Dr. Smith" becomes "Dr Smith". The words are read as before.
/// * A dash gets spaces: "man—old", "Wait--what" and "Wait -- what" become "man — old" and "Wait — what".
///
/// Work is linear in the text's length.
package enum ClauseMarks {
    /// What is to be changed, in ascending order.
    ///
    /// - Parameter text: One utterance.
    package static func edits(of text: String) -> [TextEdit] {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 == dot || $0 == hyphen || $0 == dashLead }) else { return [] }
        var edits: [TextEdit] = []
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case dot:
                if isInsideSentence(dot: index, in: bytes.span) {
                    edits.append(TextEdit(range: index..<index + 1, replacement: .text("")))
                }
                index += 1
            case hyphen, dashLead:
                let range = dash(at: index, in: bytes.span)
                if isPause(range, in: bytes.span) {
                    edits.append(TextEdit(range: range, replacement: .text(" — ")))
                }
                index = max(range.upperBound, index + 1)
            default: index += 1
            }
        }
        return edits
    }

    private static let dot = UInt8(ascii: ".")
    private static let hyphen = UInt8(ascii: "-")
    private static let space = UInt8(ascii: " ")
    /// The first byte of U+2014 and U+2015, which no other byte of a character equals.
    private static let dashLead: UInt8 = 0xE2

    private static func isInsideSentence(dot: Int, in bytes: Span<UInt8>) -> Bool {
        guard dot > 0, bytes[dot - 1] != self.dot, dot + 1 < bytes.count else { return false }
        var next = dot + 1
        var isSpaced = false
        while next < bytes.count {
            let (value, length) = UTF8Cursor.scalar(at: next, in: bytes)
            switch ScalarClass.of(value) {
            case .space: isSpaced = true
            case .quote, .turnedQuote, .opener, .leftGuillemet: guard isSpaced else { return false }
            // Engines see for themselves that no sentence begins with a small letter.
            case .ordinary where isSpaced && !ScalarClass.isLowercase(value):
                let verdict = PeriodClassifier.classify(
                    dot: dot, next: next, start: 0, bytes: bytes, end: bytes.count, isComplete: true)
                return verdict == .goesOn
            default: return false
            }
            next += length
        }
        return false
    }

    /// The dash at a byte, with the dashes right after it; empty if there is none.
    private static func dash(at start: Int, in bytes: Span<UInt8>) -> Range<Int> {
        var end = start
        if bytes[start] == hyphen {
            while end < bytes.count, bytes[end] == hyphen { end += 1 }
            // One is a hyphen, many are a line.
            return (2...3).contains(end - start) ? start..<end : end..<end
        }
        while end < bytes.count, bytes[end] == dashLead {
            let (value, length) = UTF8Cursor.scalar(at: end, in: bytes)
            guard value == 0x2014 || value == 0x2015 else { break }
            end += length
        }
        return start..<end
    }

    /// Whether a dash that engines overlook stands between words: it has spaces on neither side, or is made of hyphens and
    /// has them on both. "ls --all" has one on one side only.
    private static func isPause(_ dash: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard !dash.isEmpty, dash.lowerBound > 0, dash.upperBound < bytes.count else { return false }
        let isSpacedBefore = bytes[dash.lowerBound - 1] == space
        let isSpacedAfter = bytes[dash.upperBound] == space
        if bytes[dash.lowerBound] == hyphen { return isSpacedBefore == isSpacedAfter }
        return !isSpacedBefore || !isSpacedAfter
    }
}
