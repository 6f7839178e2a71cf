/// Normalizes the punctuation within an utterance so that all engines interpret it the same way. Engines may end a
/// sentence at the period of an abbreviation, and they ignore dashes without spaces around them.
///
/// * The period of an abbreviation, initials or an ordinal is removed where an engine would end a sentence: "Dr. Smith"
///   becomes "Dr Smith". The pronunciation of the words does not change.
/// * A dash is surrounded by spaces: "man—old", "Wait--what" and "Wait -- what" become "man — old" and "Wait — what".
///   The same applies to a hyphen between spaces, unless there are digits on both sides.
/// * An ellipsis that marks a pause is attached to the previous word and followed by a space: "Wait ... what" and
///   "Wait...what" become "Wait... what".
///
/// Runs in linear time.
package enum ClauseMarks {
    /// Returns the required edits, sorted by position.
    ///
    /// - Parameter text: the text of one utterance.
    package static func edits(of text: String) -> [TextEdit] {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 == dot || $0 == hyphen || $0 == dashLead }) else { return [] }
        var edits: [TextEdit] = []
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case dot where index + 1 < bytes.count && bytes[index + 1] == dot:
                var end = index
                while end < bytes.count, bytes[end] == dot { end += 1 }
                edits += pause(index..<end, in: bytes.span)
                index = end
            case dashLead where isEllipsis(at: index, in: bytes.span):
                edits += pause(index..<index + 3, in: bytes.span)
                index += 3
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
    /// The first UTF-8 byte of U+2014 and U+2015. It is never a continuation byte.
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
            // Engines do not end a sentence at the period if the next letter is lowercase.
            case .ordinary where isSpaced && !ScalarClass.isLowercase(value):
                // The label in "Q. What is it?" keeps its period, which separates it from the sentence.
                let verdict = PeriodClassifier.classify(
                    dot: dot, next: next, start: 0, bytes: bytes, end: bytes.count, isComplete: true, joinsLabels: false
                )
                return verdict == .continuesText
            default: return false
            }
            next += length
        }
        return false
    }

    private static func isEllipsis(at index: Int, in bytes: Span<UInt8>) -> Bool {
        index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] == 0xA6
    }

    /// Removes the space before an ellipsis and inserts one after it. Dots between digits do not mark a pause.
    private static func pause(_ dots: Range<Int>, in bytes: Span<UInt8>) -> [TextEdit] {
        guard dots.lowerBound > 0, dots.upperBound < bytes.count else { return [] }
        var edits: [TextEdit] = []
        var last = dots.lowerBound
        while last > 0, bytes[last - 1] == space { last -= 1 }
        let isSpacedAfter = bytes[dots.upperBound] == space
        guard last > 0 else { return [] }
        let before = UTF8Cursor.start(before: last, floor: 0, in: bytes)
        if last < dots.lowerBound, isSpacedAfter, isWord(at: before, in: bytes) {
            edits.append(TextEdit(range: last..<dots.lowerBound, replacement: .text("")))
        }
        if last == dots.lowerBound, isLetter(at: before, in: bytes), isLetter(at: dots.upperBound, in: bytes),
            let mark = dots.last
        {
            let isWide = bytes[mark] >= 0x80
            let range = isWide ? dots : mark..<mark + 1
            edits.append(TextEdit(range: range, replacement: .text(isWide ? "… " : ". ")))
        }
        return edits
    }

    /// Whether the character at a byte is a letter of a script that separates words with spaces.
    private static func isLetter(at index: Int, in bytes: Span<UInt8>) -> Bool {
        let value = UTF8Cursor.scalar(at: index, in: bytes).value
        return isWord(at: index, in: bytes) && !(0x30...0x39).contains(value) && !ScalarClass.isSpaceless(value)
    }

    private static func isWord(at index: Int, in bytes: Span<UInt8>) -> Bool {
        guard let scalar = Unicode.Scalar(UTF8Cursor.scalar(at: index, in: bytes).value) else { return false }
        return scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
    }

    /// Returns the range of the dash at a byte, including directly adjacent dashes, or an empty range if there is none.
    private static func dash(at start: Int, in bytes: Span<UInt8>) -> Range<Int> {
        var end = start
        if bytes[start] == hyphen {
            while end < bytes.count, bytes[end] == hyphen { end += 1 }
            // A single hyphen is a dash only if it is surrounded by spaces. More than three hyphens form a horizontal
            // line.
            let isDash = end - start == 1 ? isApart(start, in: bytes) : end - start <= 3
            return isDash ? start..<end : end..<end
        }
        while end < bytes.count, bytes[end] == dashLead {
            let (value, length) = UTF8Cursor.scalar(at: end, in: bytes)
            guard value == 0x2014 || value == 0x2015 else { break }
            end += length
        }
        return start..<end
    }

    /// Whether a hyphen has a space on each side and the characters beyond these spaces are not both digits.
    private static func isApart(_ index: Int, in bytes: Span<UInt8>) -> Bool {
        guard index > 1, index + 2 < bytes.count, bytes[index - 1] == space, bytes[index + 1] == space else {
            return false
        }
        return !((0x30...0x39).contains(bytes[index - 2]) && (0x30...0x39).contains(bytes[index + 2]))
    }

    /// Whether engines ignore this dash between words. They ignore an em dash that lacks a space on at least one side,
    /// and hyphens with spaces on both sides or on neither, but not the hyphens in "ls --all".
    private static func isPause(_ dash: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard !dash.isEmpty, dash.lowerBound > 0, dash.upperBound < bytes.count else { return false }
        let isSpacedBefore = bytes[dash.lowerBound - 1] == space
        let isSpacedAfter = bytes[dash.upperBound] == space
        if bytes[dash.lowerBound] == hyphen { return isSpacedBefore == isSpacedAfter }
        return !isSpacedBefore || !isSpacedAfter
    }
}
