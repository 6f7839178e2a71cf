/// Rules for sentences that are not separated by white space: in Chinese and Japanese, and in other languages if a
/// space is missing.
enum UnspacedText {
    /// Chinese reporting verbs, such as the verbs for "say" and "ask", in simplified and traditional characters: shuō,
    /// dào, wèn, hǎn, dá, jiào, jiǎng.
    private static let speechVerbs: Set<UInt32> = [
        0x8BF4, 0x8AAA, 0x9053, 0x95EE, 0x554F, 0x558A, 0x7B54, 0x53EB, 0x8BB2, 0x8B1B,
    ]
    /// The maximum number of characters up to and including the verb. The Chinese for "the old teacher said" has four
    /// characters.
    private static let longestSpeaker = 4
    /// The minimum number of characters in a sentence before an ellipsis.
    private static let shortestSentence = 4

    /// Whether the words after a quotation name the speaker. Returns nil if more text is needed.
    static func namesSpeaker(from position: Int, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Bool? {
        var cursor = position
        for _ in 0..<longestSpeaker {
            guard cursor < end else { return isComplete ? false : nil }
            let (value, length) = UTF8Cursor.scalar(at: cursor, in: bytes)
            guard ScalarClass.of(value) == .ordinary, ScalarClass.isSpaceless(value) else { return false }
            if speechVerbs.contains(value) { return true }
            cursor += length
        }
        return false
    }

    /// Whether an ellipsis is a pause within a sentence: after one or two words, or before a repeated character.
    static func isHesitation(before ellipsis: Int, from start: Int, next: UInt32, in bytes: Span<UInt8>) -> Bool {
        var cursor = ellipsis
        for count in 0..<shortestSentence {
            guard cursor > start else { return true }
            cursor = UTF8Cursor.start(before: cursor, floor: start, in: bytes)
            let value = UTF8Cursor.scalar(at: cursor, in: bytes).value
            // Only the part after the last comma is relevant.
            guard ScalarClass.of(value) == .ordinary else { return true }
            if count == 0, value == next { return true }
        }
        return false
    }

    /// Whether a terminator is within a title (《…》 or 〈…〉) or fullwidth parentheses.
    static func isInTitle(_ dot: Int, from start: Int, in bytes: Span<UInt8>) -> Bool {
        var cursor = dot
        for _ in 0..<longestTitle {
            guard cursor > start else { return false }
            cursor = UTF8Cursor.start(before: cursor, floor: start, in: bytes)
            switch UTF8Cursor.scalar(at: cursor, in: bytes).value {
            case 0x300A, 0x3008, 0xFF08: return true
            case 0x300B, 0x3009, 0xFF09: return false
            default: continue
            }
        }
        return false
    }

    private static let longestTitle = 40
    private static let longestWord = 24
}

/// Rules for a character that directly follows a sentence end.
extension UnspacedText {
    struct DotPosition {
        /// The position of the first terminator.
        let dot: Int
        /// The position of the first character after the terminators and closing marks.
        let next: Int
        /// The start of the utterance.
        let start: Int
        let isClosed: Bool
    }

    /// Whether the space after a sentence is missing, as in "the door.It was late". Returns nil if more text is needed.
    ///
    /// Names that contain dots do not count: "example.Com", "Node.JS", "v2.Beta", "www.Example.org",
    /// "index.php?Name=5".
    static func lacksSpace(_ position: DotPosition, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Bool? {
        let (first, length) = UTF8Cursor.scalar(at: position.next, in: bytes)
        let last = UTF8Cursor.start(before: position.dot, floor: position.start, in: bytes)
        if position.dot > position.start, ScalarClass.isSpaceless(first), !(0xAC00..<0xD7B0).contains(first) {
            if position.isClosed || isInTitle(position.dot, from: position.start, in: bytes) { return false }
            return ScalarClass.isSpaceless(UTF8Cursor.scalar(at: last, in: bytes).value)
                || PeriodClassifier.mayEnd(dot: position.dot, start: position.start, in: bytes)
                    && UTF8Cursor.scalar(at: last, in: bytes).value >= 0x61
        }
        guard isCapital(first) else { return false }
        let before = word(before: position.dot, start: position.start, in: bytes)
        let isAfterNumber = before == nil && isNumber(before: position.dot, start: position.start, in: bytes)
        guard position.isClosed || before != nil || isAfterNumber else { return false }
        // Directly after an ASCII letter, a Roman numeral looks like part of a name.
        if before?.isSmall == true, bytes[last] >= 0x80 {
            guard let isNumeral = isRoman(at: position.next, in: bytes, end: end, isComplete: isComplete) else {
                return nil
            }
            if isNumeral { return true }
        }
        var cursor = position.next + length
        var next = String(Unicode.Scalar(first) ?? "A")
        while cursor < end, cursor - position.next < longestWord {
            let (value, length) = UTF8Cursor.scalar(at: cursor, in: bytes)
            guard let scalar = Unicode.Scalar(value), isLetter(value) else { break }
            guard ScalarClass.isLowercase(value) else { return false }
            next.unicodeScalars.append(scalar)
            cursor += length
        }
        guard cursor < end || isComplete else { return nil }
        if cursor < end {
            switch bytes[cursor] {
            case 0x20, 0x0A, 0x2C, 0x3B, 0x27, 0xE2: break
            // The word may be a complete short sentence, such as "It.".
            case 0x2E, 0x21, 0x3F:
                guard cursor + 1 < end || isComplete else { return nil }
                guard cursor + 1 == end || bytes[cursor + 1] == 0x20 || bytes[cursor + 1] == 0x0A else { return false }
            default: return false
            }
        }
        let small = next.lowercased()
        if isAfterNumber, !position.isClosed { return small.count > 1 && Abbreviations.starters.contains(small) }
        if ["net", "com", "org", "edu", "io"].contains(small) { return false }
        return position.isClosed || before?.isSmall == true || Abbreviations.kind(of: small) == .title
            || Abbreviations.starters.contains(small)
    }

    /// Returns the length of a footnote number after a sentence, such as the 12 in "closed.12 Nobody". Returns 0 if
    /// there is none, or nil if more text is needed.
    static func noteBytes(_ position: DotPosition, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Int? {
        guard bytes[position.next] != 0x30 else { return 0 }
        var cursor = position.next
        var digits = 0
        let isRaised = bytes[cursor] >= 0x80
        while cursor < end, digits < 4 {
            let (value, length) = UTF8Cursor.scalar(at: cursor, in: bytes)
            guard isNoteDigit(value), (value >= 0x80) == isRaised else { break }
            digits += 1
            cursor += length
        }
        guard digits < 4 else { return 0 }
        guard let last = notesEnd(from: cursor, in: bytes, end: end, isComplete: isComplete) else { return nil }
        cursor = last
        guard cursor < end else { return isComplete && isAfterWord(position, in: bytes) ? cursor - position.next : nil }
        guard bytes[cursor] == 0x20 || bytes[cursor] == 0x0A, isAfterWord(position, in: bytes) else { return 0 }
        let note = cursor - position.next
        while cursor < end, bytes[cursor] == 0x20 || bytes[cursor] == 0x0A, cursor - position.next < longestWord {
            cursor += 1
        }
        guard cursor < end else { return isComplete ? note : nil }
        let value = UTF8Cursor.scalar(at: cursor, in: bytes).value
        switch ScalarClass.of(value) {
        case .quote, .turnedQuote, .opener, .leftGuillemet, .dash: return note
        default: return isCapital(value) || isRaised ? note : 0
        }
    }

    /// Returns the end of additional footnote numbers, such as "11 12", "3,4" or "5–7", or nil if more text is needed.
    private static func notesEnd(from position: Int, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Int? {
        var cursor = position
        for _ in 0..<3 {
            var next = cursor
            guard next + 6 < end || isComplete else { return nil }
            guard next < end else { return cursor }
            switch bytes[next] {
            case 0x20, 0x2C, 0x2D: next += 1
            case 0xE2 where next + 2 < end && bytes[next + 1] == 0x80 && bytes[next + 2] == 0x93: next += 3
            default: return cursor
            }
            let first = next
            while next < end, (0x30...0x39).contains(bytes[next]), next - first < 4 { next += 1 }
            guard (1...3).contains(next - first), next < end, bytes[next] == 0x20 || bytes[next] == 0x2C else {
                return cursor
            }
            cursor = next
        }
        return cursor
    }

    static func isNoteDigit(_ value: UInt32) -> Bool {
        switch value {
        case 0x30...0x39, 0xB2, 0xB3, 0xB9, 0x2070, 0x2074...0x2079: true
        default: false
        }
    }

    static func scalars(_ range: Range<Int>, in bytes: Span<UInt8>) -> Int {
        range.count { bytes[$0] & 0xC0 != 0x80 }
    }

    /// Whether an ordinary word precedes the period, unlike in "No.12" or "Kor.13".
    private static func isAfterWord(_ position: DotPosition, in bytes: Span<UInt8>) -> Bool {
        if position.isClosed { return true }
        if position.dot > position.start, [0x29, 0x22, 0x5D].contains(bytes[position.dot - 1]) { return true }
        guard let before = word(before: position.dot, start: position.start, in: bytes) else { return false }
        return before.isSmall || before.count > 4
    }

    /// Returns the number of letters in the word before a period, and whether all of them are lowercase. Returns nil if
    /// it is not an ordinary word or is part of a longer name.
    private static func word(
        before dot: Int, start: Int, in bytes: Span<UInt8>
    ) -> (count: Int, isSmall: Bool)? {
        var cursor = dot
        var count = 0
        var isSmall = true
        while cursor > start, dot - cursor < longestWord {
            let previous = UTF8Cursor.start(before: cursor, floor: start, in: bytes)
            let value = UTF8Cursor.scalar(at: previous, in: bytes).value
            if isLetter(value) {
                if count == 0, !ScalarClass.isLowercase(value) { return nil }
                isSmall = isSmall && ScalarClass.isLowercase(value)
                count += 1
            } else if value != 0x27 && value != 0x2019 {
                switch ScalarClass.of(value) {
                case .space, .lineBreak, .quote, .turnedQuote, .opener, .leftGuillemet, .dash: break
                default: return nil
                }
                break
            }
            cursor = previous
        }
        guard count > 1 else { return nil }
        let isShort =
            bytes[dot] == UInt8(ascii: ".") && Abbreviations.kind(of: UTF8Cursor.string(cursor..<dot, of: bytes)) != nil
        return isShort ? nil : (count, isSmall)
    }

    /// Whether a number of at least three digits precedes the period, as in "in 1998.That was" and "1,000.That is".
    private static func isNumber(before dot: Int, start: Int, in bytes: Span<UInt8>) -> Bool {
        var cursor = dot
        var digits = 0
        while cursor > start, dot - cursor < longestWord {
            let byte = bytes[cursor - 1]
            let isDigit = (0x30...0x39).contains(byte)
            guard isDigit || byte == 0x2C && digits > 0 else { break }
            digits += isDigit ? 1 : 0
            cursor -= 1
        }
        return digits >= 3 && (cursor == start || bytes[cursor - 1] == 0x20)
    }

    /// Whether the word at a position is a Roman numeral of at least two letters. Returns nil if more text is needed.
    private static func isRoman(at first: Int, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Bool? {
        var cursor = first
        while cursor < end, [0x49, 0x56, 0x58].contains(bytes[cursor]), cursor - first < longestWord { cursor += 1 }
        guard cursor < end else { return isComplete ? cursor - first > 1 : nil }
        return cursor - first > 1 && bytes[cursor] == 0x20
    }

    static func isLetter(_ value: UInt32) -> Bool {
        if value < 0x80 { return (0x61...0x7A).contains(value | 0x20) }
        return Unicode.Scalar(value)?.properties.isAlphabetic == true
    }

    private static func isCapital(_ value: UInt32) -> Bool {
        if value < 0x80 { return (0x41...0x5A).contains(value) }
        return Unicode.Scalar(value)?.properties.isUppercase == true
    }
}
