/// Determines whether a period ends a sentence or belongs to an abbreviation, an initial or an ordinal.
///
/// If both are possible ("in the U.S. Congress", "in the U.S. He left"), the next word decides: the sentence ends only
/// before a word known to start sentences. Joining two sentences by mistake only loses a pause, whereas splitting a
/// sentence by mistake also ruins its intonation.
enum PeriodClassifier {
    enum Verdict: Sendable {
        case ends
        case continuesText
        /// More text is needed to complete the next word.
        case needsMore
    }

    private enum Word {
        case ordinary
        case title
        case undecided
        case beforeNumber
        case number(isOrdinal: Bool)
    }

    private static let longestWord = 24

    /// Classifies the period at `dot`. `next` is the position of the next letter or digit. If `joinsLabels` is true, a
    /// single letter at the start of a sentence does not end it: "Q. What is it? A. It is a door."
    static func classify(
        dot: Int, next: Int, start: Int, bytes: Span<UInt8>, end: Int, isComplete: Bool, joinsLabels: Bool = true
    ) -> Verdict {
        let isBeforeDigit = (0x30...0x39).contains(bytes[next])
        switch word(before: dot, start: start, in: bytes) {
        case .ordinary: return .ends
        case .title: return .continuesText
        case .beforeNumber:
            if isBeforeDigit { return .continuesText }
            guard let length = romanLength(at: next, bytes: bytes, end: end, isComplete: isComplete) else {
                return .needsMore
            }
            // In "No. I stay.", "I" is more likely a word than a Roman numeral.
            return length > 1 || length == 1 && bytes[next] != UInt8(ascii: "I") ? .continuesText : .ends
        case .undecided:
            let isLabel = joinsLabels && UTF8Cursor.start(before: dot, floor: start, in: bytes) == start
            if isBeforeDigit || isLabel { return .continuesText }
            guard let word = word(at: next, bytes: bytes, end: end, isComplete: isComplete) else { return .needsMore }
            // "J. A. Smith": a single letter with a period is an initial, even if it is also a word.
            let following = next + UTF8Cursor.length(ofLead: bytes[next])
            if word.unicodeScalars.count == 1 {
                guard following < end || isComplete else { return .needsMore }
                if following < end, bytes[following] == UInt8(ascii: ".") { return .continuesText }
            }
            if isHalfDay(before: dot, in: bytes) {
                let isEarly = isNearStart(dot, start: start, in: bytes)
                return isEarly && !Abbreviations.starters.contains(word) || Abbreviations.timeWords.contains(word)
                    ? .continuesText : .ends
            }
            // "5 p.m. ET": a short word in all capitals does not start a sentence.
            let isCode = (2...4).contains(word.utf8.count) && isCapitals(next..<next + word.utf8.count, in: bytes)
            return Abbreviations.starters.contains(word) && !isCode ? .ends : .continuesText
        case .number(let isOrdinal):
            if isBeforeDigit {
                if isOrdinal { return .continuesText }
                return isMonth(at: next, bytes: bytes, end: end, isComplete: isComplete).map {
                    $0 ? .continuesText : .ends
                }
                    ?? .needsMore
            }
            guard let word = word(at: next, bytes: bytes, end: end, isComplete: isComplete) else { return .needsMore }
            if Abbreviations.ordinalNouns.contains(word) { return .continuesText }
            return isOrdinal && !Abbreviations.starters.contains(word) ? .continuesText : .ends
        }
    }

    /// Whether the period at `dot` may end a sentence if no further text arrives for some time.
    static func mayEnd(dot: Int, start: Int, in bytes: Span<UInt8>) -> Bool {
        if case .title = word(before: dot, start: start, in: bytes) { return false }
        return true
    }

    /// Whether the word before the period at `dot` is neither an abbreviation nor an ordinal.
    static func endsOrdinaryWord(dot: Int, start: Int, in bytes: Span<UInt8>) -> Bool {
        if case .ordinary = word(before: dot, start: start, in: bytes) { return true }
        return false
    }

    /// Whether the number at `start` is a month, such as the "5." in "1. 5. 2026". Returns nil if more text is needed.
    private static func isMonth(at start: Int, bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Bool? {
        var index = start
        while index < end, (0x30...0x39).contains(bytes[index]), index - start < 3 { index += 1 }
        guard index < end else { return isComplete ? false : nil }
        guard index - start < 3, bytes[index] == UInt8(ascii: ".") else { return false }
        index += 1
        if index < end, bytes[index] == 0x20 { index += 1 }
        guard index < end else { return isComplete ? false : nil }
        return (0x30...0x39).contains(bytes[index])
    }

    /// Whether an exclamation mark is part of the name that precedes it.
    static func isNameWithMark(before mark: Int, start: Int, in bytes: Span<UInt8>) -> Bool {
        let first = wordStart(before: mark, floor: start, in: bytes)
        guard first < mark, (0x41...0x5A).contains(bytes[first]) else { return false }
        return ["yahoo", "jeopardy", "yum", "joomla", "wham", "kahoot"].contains(
            UTF8Cursor.string(first..<mark, of: bytes).lowercased())
    }

    /// Whether the word before a number makes the number an ordinal. The number's period is at `dot`.
    static func isOrdinal(dot: Int, start: Int, in bytes: Span<UInt8>) -> Bool {
        if case .number(isOrdinal: true) = word(before: dot, start: start, in: bytes) { return true }
        return false
    }

    private static func word(before dot: Int, start: Int, in bytes: Span<UInt8>) -> Word {
        let first = wordStart(before: dot, floor: start, in: bytes)
        guard first < dot, dot - first <= longestWord else { return .ordinary }
        let isRangeEnd = bytes[first] == UInt8(ascii: "-")
        if let number = number((isRangeEnd ? first + 1 : first)..<dot, start: start, in: bytes) { return number }
        if isOldMoney(first..<dot, in: bytes) { return .undecided }
        let word = UTF8Cursor.string(first..<dot, of: bytes)
        switch spacedKind(word, at: first, start: start, in: bytes) ?? Abbreviations.kind(of: word) {
        case .title?: return .title
        case .undecided?: return .undecided
        case let kind: return isInitials(word) ? .undecided : kind == .beforeNumber ? .beforeNumber : .ordinary
        }
    }

    /// Whether the period is part of "p.m." or "A.M." after a number.
    private static func isHalfDay(before dot: Int, in bytes: Span<UInt8>) -> Bool {
        guard dot > 4, bytes[dot - 1] | 0x20 == 0x6D, bytes[dot - 2] == UInt8(ascii: "."),
            bytes[dot - 3] | 0x20 == 0x61 || bytes[dot - 3] | 0x20 == 0x70
        else { return false }
        let before = bytes[dot - 4] == 0x20 ? bytes[dot - 5] : bytes[dot - 4]
        return (0x30...0x39).contains(before)
    }

    /// Whether fewer than four words precede the period, as in "At 5 a.m. Jane got up."
    private static func isNearStart(_ dot: Int, start: Int, in bytes: Span<UInt8>) -> Bool {
        guard dot - start < 30 else { return false }
        return (start..<dot).count { bytes[$0] == 0x20 } < 3
    }

    /// Whether the word is an amount of shillings or pence: "12s", "6d".
    private static func isOldMoney(_ word: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard (2...3).contains(word.count), let last = word.last else { return false }
        let isCoin = bytes[last] == UInt8(ascii: "s") || bytes[last] == UInt8(ascii: "d")
        return isCoin && word.dropLast().allSatisfy { (0x30...0x39).contains(bytes[$0]) }
    }

    /// Returns the kind of a two-word abbreviation such as "p. ex.", whose second word starts at `first`.
    private static func spacedKind(
        _ word: String, at first: Int, start: Int, in bytes: Span<UInt8>
    ) -> Abbreviations.Kind? {
        if word == "es" || word == "ej" || word == "ex", first - 1 > start, bytes[first - 1] == 0x20 {
            let leader = UTF8Cursor.string(
                wordStart(before: first - 1, floor: start, in: bytes)..<first - 1, of: bytes)
            if ["ad", "per", "por", "par"].contains(leader.lowercased()) { return .title }
        }
        guard first - 2 > start, bytes[first - 1] == 0x20, bytes[first - 2] == UInt8(ascii: ".") else { return nil }
        let previous = wordStart(before: first - 2, floor: start, in: bytes)
        guard previous < first - 2 else { return nil }
        return Abbreviations.kind(of: UTF8Cursor.string(previous..<first - 1, of: bytes) + word)
    }

    /// Reads a number of one or two digits, or a Roman numeral of several letters. A longer number before a period is
    /// more likely to be a year or a quantity than an ordinal.
    private static func number(_ range: Range<Int>, start: Int, in bytes: Span<UInt8>) -> Word? {
        let isRoman = range.count > 1 && range.allSatisfy { isRomanDigit(bytes[$0]) }
        if !isRoman {
            for index in range where !(0x30...0x39).contains(bytes[index]) { return nil }
            guard range.count <= 2 else { return .ordinary }
        }
        var last = range.lowerBound
        while last > start, range.lowerBound - last < 4, bytes[last - 1] == 0x20 { last -= 1 }
        guard last < range.lowerBound, last > start else { return .number(isOrdinal: false) }
        if bytes[last - 1] == UInt8(ascii: "."), last - 1 > start, (0x30...0x39).contains(bytes[last - 2]) {
            return .number(isOrdinal: true)
        }
        let first = wordStart(before: last, floor: start, in: bytes)
        guard first < last, last - first <= longestWord else { return .number(isOrdinal: false) }
        let leader = UTF8Cursor.string(first..<last, of: bytes).lowercased()
        return .number(isOrdinal: Abbreviations.ordinalLeaders.contains(leader))
    }

    /// Whether the word consists of single letters with dots between them: "j", "u.s", "p.m".
    private static func isInitials(_ word: String) -> Bool {
        var isLetterNext = true
        for scalar in word.unicodeScalars {
            if isLetterNext {
                guard scalar.properties.isCased else { return false }
            } else if scalar != "." {
                return false
            }
            isLetterNext.toggle()
        }
        return !isLetterNext
    }

    private static func wordStart(before position: Int, floor: Int, in bytes: Span<UInt8>) -> Int {
        var index = position
        while index > floor, position - index <= longestWord {
            let previous = UTF8Cursor.start(before: index, floor: floor, in: bytes)
            let value = UTF8Cursor.scalar(at: previous, in: bytes).value
            switch ScalarClass.of(value) {
            // Text in a script without spaces may directly precede a word in a different script: "我见到Dr. Smith".
            case .ordinary where ScalarClass.isSpaceless(value): return index
            case .ordinary, .period: break
            case .dash where bytes[previous] == UInt8(ascii: "-") && previous > floor && index < position: break
            default: return index
            }
            if bytes[previous] == UInt8(ascii: "/") { return index }
            index = previous
        }
        return index
    }

    private static func isRomanDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "I"), UInt8(ascii: "V"), UInt8(ascii: "X"), UInt8(ascii: "L"), UInt8(ascii: "C"): true
        default: false
        }
    }

    private static func isCapitals(_ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        range.allSatisfy { (0x41...0x5A).contains(bytes[$0]) }
    }

    /// Returns the number of letters of the Roman numeral at `start`, 0 if there is none, or nil if more text is
    /// needed.
    private static func romanLength(at start: Int, bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Int? {
        var index = start
        while index < end, index - start < longestWord {
            switch bytes[index] {
            case let byte where isRomanDigit(byte): index += 1
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF, UInt8(ascii: "'"): return 0
            default: return index - start
            }
        }
        return index < end || isComplete || index - start >= longestWord ? index - start : nil
    }

    /// Returns the lowercased word that starts at `start`, or nil if more text is needed.
    private static func word(at start: Int, bytes: Span<UInt8>, end: Int, isComplete: Bool) -> String? {
        var index = start
        while index < end, index - start < longestWord {
            let (value, length) = UTF8Cursor.scalar(at: index, in: bytes)
            guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic || ScalarClass.isExtender(value)
            else {
                return UTF8Cursor.string(start..<index, of: bytes).lowercased()
            }
            index += length
        }
        guard index < end || isComplete || index - start >= longestWord else { return nil }
        return UTF8Cursor.string(start..<index, of: bytes).lowercased()
    }
}
