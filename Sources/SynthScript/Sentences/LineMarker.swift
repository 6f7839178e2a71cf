/// The marker at the start of a line.
enum LineMarker: Sendable, Equatable {
    case plain
    /// A list item or heading. `bytes` is the length of its marker.
    case item(bytes: Int)
    /// A dash followed by white space, as in dialogue.
    case dash

    private static let longest = 10

    /// Reads the marker at `start`, which must be the first visible byte of a line. Returns nil if more text is needed.
    static func read(at start: Int, bytes: Span<UInt8>, end: Int, isComplete: Bool) -> LineMarker? {
        let (value, length) = UTF8Cursor.scalar(at: start, in: bytes)
        let afterwards: LineMarker
        switch value {
        case 0x2D, 0x2A, 0x2B: afterwards = .item(bytes: length)
        case _ where isBullet(value):
            return readBullet(at: start, length: length, bytes: bytes, end: end, isComplete: isComplete)
        case 0x2013, 0x2014, 0x2015: afterwards = .dash
        case 0x23, 0x28, 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
            return readASCII(at: start, bytes: bytes, end: end, isComplete: isComplete)
        default: return .plain
        }
        guard start + length < end else { return isComplete ? .plain : nil }
        return isBlank(at: start + length, in: bytes) ? afterwards : .plain
    }

    static func isBullet(_ value: UInt32) -> Bool {
        switch value {
        case 0xB7, 0x2022, 0x2023, 0x2043, 0x25AA, 0x25AB, 0x25A0, 0x25A1, 0x25CB, 0x25CF, 0x25E6, 0x27A4: true
        default: false
        }
    }

    /// Reads a bullet, optionally followed by a number: "• 9."
    private static func readBullet(
        at start: Int, length: Int, bytes: Span<UInt8>, end: Int, isComplete: Bool
    ) -> LineMarker? {
        let next = start + length
        guard next < end else { return isComplete ? .plain : nil }
        let isSpaced = isBlank(at: next, in: bytes)
        let number = bytes[next] == 0x20 ? next + 1 : next
        guard number < end else { return isComplete ? (isSpaced ? .item(bytes: length) : .plain) : nil }
        guard (0x30...0x39).contains(bytes[number]) else { return isSpaced ? .item(bytes: length) : .plain }
        switch readASCII(at: number, bytes: bytes, end: end, isComplete: isComplete) {
        case nil: return nil
        case .item(let digits)?: return .item(bytes: number - start + digits)
        default: return isSpaced ? .item(bytes: length) : .plain
        }
    }

    /// Reads an ASCII marker followed by white space: "1.", "12)", "(3)", "1.)", "a)", "(iv)" or "##".
    private static func readASCII(at start: Int, bytes: Span<UInt8>, end: Int, isComplete: Bool) -> LineMarker? {
        var index = start
        let isBracketed = bytes[index] == UInt8(ascii: "(")
        let isHeading = bytes[index] == UInt8(ascii: "#")
        if isBracketed { index += 1 }
        var digits = 0
        var letters = 0
        var hashes = 0
        while index < end, index - start < longest {
            switch bytes[index] {
            case UInt8(ascii: "#") where isHeading: hashes += 1
            case 0x30...0x39 where letters == 0 && !isHeading: digits += 1
            case 0x41...0x5A where digits == 0 && !isHeading,
                0x61...0x7A where digits == 0 && !isHeading:
                letters += 1
            case UInt8(ascii: "."), UInt8(ascii: ")"):
                let isClosed = bytes[index] == UInt8(ascii: ")")
                let isCounter = (1...3).contains(digits) && (isClosed || !isBracketed)
                let isLetter = isClosed && (letters == 1 || isRoman(from: index - letters, to: index, in: bytes))
                guard isCounter || isLetter else { return .plain }
                guard index + 1 < end else { return isComplete ? .plain : nil }
                if !isClosed, bytes[index + 1] == UInt8(ascii: ")") {
                    index += 1
                    guard index + 1 < end else { return isComplete ? .plain : nil }
                }
                return isBlank(at: index + 1, in: bytes) ? .item(bytes: index + 1 - start) : .plain
            case UInt8(ascii: " ") where (1...6).contains(hashes): return .item(bytes: hashes)
            default: return .plain
            }
            guard digits <= 3, letters <= 5, hashes <= 6 else { return .plain }
            index += 1
        }
        return index < end || isComplete ? .plain : nil
    }

    private static func isRoman(from start: Int, to end: Int, in bytes: Span<UInt8>) -> Bool {
        guard start < end else { return false }
        for index in start..<end {
            switch bytes[index] | 0x20 {
            case UInt8(ascii: "i"), UInt8(ascii: "v"), UInt8(ascii: "x"): continue
            default: return false
            }
        }
        return true
    }

    private static func isBlank(at index: Int, in bytes: Span<UInt8>) -> Bool {
        switch ScalarClass.of(UTF8Cursor.scalar(at: index, in: bytes).value) {
        case .space, .lineBreak, .paragraphBreak: true
        default: false
        }
    }
}

/// The number or letter of a list item, including its punctuation.
struct ItemNumber {
    let value: Int
    let isLetter: Bool
    /// Whether the number is followed by ")" rather than just a period.
    let isClosed: Bool
    let hasDot: Bool
    let start: Int
    let end: Int
    /// The maximum length in bytes, including punctuation, as in "(12.)".
    static let longest = 6

    /// Reads the number whose period or closing parenthesis is at `mark`. The number must be at the start of the text
    /// or follow a space.
    init?(before mark: Int, floor: Int, in bytes: Span<UInt8>) {
        var first = mark
        while first > floor, mark - first < 3, Self.isPart(bytes[first - 1]) { first -= 1 }
        if first > floor, bytes[first - 1] == UInt8(ascii: "("), bytes[mark] == 0x29 { first -= 1 }
        guard first == floor || bytes[first - 1] == 0x20 else { return nil }
        self.init(at: first, before: mark + 2, in: bytes)
    }

    /// Reads the number that starts at a position.
    init?(at place: Int, before limit: Int, in bytes: Span<UInt8>) {
        var cursor = place
        let limit = min(limit, bytes.count)
        if cursor < limit, bytes[cursor] == UInt8(ascii: "(") { cursor += 1 }
        let first = cursor
        var value = 0
        while cursor < limit, (0x30...0x39).contains(bytes[cursor]), cursor - first < 2 {
            value = value * 10 + Int(bytes[cursor]) - 0x30
            cursor += 1
        }
        isLetter = cursor == first
        if isLetter, cursor < limit, (0x61...0x7A).contains(bytes[cursor]) {
            value = Int(bytes[cursor]) - 0x60
            cursor += 1
        }
        hasDot = cursor < limit && bytes[cursor] == UInt8(ascii: ".")
        if hasDot { cursor += 1 }
        isClosed = cursor < limit && bytes[cursor] == 0x29
        if isClosed { cursor += 1 }
        guard value > 0, hasDot || isClosed, first == place || isClosed else { return nil }
        self.value = value
        start = place
        end = cursor
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
    }

    func follows(_ other: ItemNumber?) -> Bool {
        guard let other else { return false }
        return value == other.value + 1 && isLike(other)
    }

    /// Whether both item numbers are written in the same style, such as "1." or "a)".
    func isLike(_ other: ItemNumber?) -> Bool {
        guard let other else { return false }
        return isLetter == other.isLetter && isClosed == other.isClosed && hasDot == other.hasDot
    }
}

/// Handles lists whose items are on one line: "1. First 2. Second", "a) this b) that".
extension SentenceScanner {
    /// Ends the utterance before the next item number, whose punctuation is at `mark`. Returns nil if there is no next
    /// item number.
    mutating func cutItem(at mark: Int, in bytes: Span<UInt8>) -> Piece? {
        guard let start, let number = ItemNumber(before: mark, floor: start, in: bytes) else { return nil }
        let isFirst = number.value == 1 && (number.start == start || isAfterColon(number.start, from: start, in: bytes))
        if isFirst { itemAfterColon = 1 }
        let first = ItemNumber(at: start, before: mark, in: bytes) ?? lastItem
        // A second list starts again at 1.
        let isAgain = number.value == 1 && number.isClosed && number.hasDot && number.isLike(first)
        let isAfterColon = !number.isLetter && itemAfterColon > 0 && itemAfterColon == number.value - 1
        let isNext = number.follows(first) || isAgain || isAfterColon
        // After certain words, the number is an ordinal, as in German "am 3. Mai".
        if number.hasDot, !number.isClosed, PeriodClassifier.isOrdinal(dot: mark, start: start, in: bytes) {
            return nil
        }
        guard isNext, number.start > start + 4, itemAfterColon > 0 || first != nil else { return nil }
        let piece = cut(at: number.start, pause: .sentence, in: bytes)
        itemBytes = number.end - number.start
        return piece
    }

    func mayBeItem(_ first: UInt8) -> Bool {
        (0x31...0x39).contains(first) || first == UInt8(ascii: "(")
            || lastItem?.isLetter == true && (0x61...0x7A).contains(first)
    }

    /// Returns the length of the item number at the cursor within a line, or 0 if there is none.
    func nextItem(_ bytes: Span<UInt8>, end: Int) -> Int {
        guard let number = ItemNumber(at: cursor, before: end, in: bytes), number.end < end, bytes[number.end] == 0x20,
            number.value == 1 && !number.isLetter || number.follows(lastItem)
        else { return 0 }
        return number.end - cursor
    }

    private func isAfterColon(_ position: Int, from start: Int, in bytes: Span<UInt8>) -> Bool {
        position > start + 1 && bytes[position - 1] == 0x20 && bytes[position - 2] == 0x3A
    }

    /// Whether the bullet at the cursor starts the next item of the same list.
    func isItem(bullet length: Int, in bytes: Span<UInt8>) -> Bool {
        guard let start, cursor > start, bytes[cursor - 1] == 0x20, length == 3 else { return false }
        return (0..<length).allSatisfy { bytes[start + $0] == bytes[cursor + $0] }
            && LineMarker.isBullet(UTF8Cursor.scalar(at: start, in: bytes).value)
    }

    /// Whether the text starts with an item letter such as "a.". A single lowercase letter is never a sentence.
    func isItemLetter(_ gap: Gap, in bytes: Span<UInt8>) -> Bool {
        guard let start, gap.dot == start + 1 else { return false }
        return (0x61...0x7A).contains(bytes[start])
    }

    /// Whether the text at the cursor is an item letter such as "w) " rather than the end of text in parentheses, as in
    /// "(see fig. a)".
    func isBracketedItem(after gap: Gap, in bytes: Span<UInt8>, end: Int) -> Bool {
        guard let start, cursor + 2 < end, bytes[cursor + 1] == 0x29, bytes[cursor + 2] == 0x20,
            PeriodClassifier.endsOrdinaryWord(dot: gap.dot, start: start, in: bytes)
        else { return false }
        var depth = 0
        for index in max(start, gap.dot - Self.longestBracket)..<gap.dot {
            if bytes[index] == 0x28 { depth += 1 }
            if bytes[index] == 0x29 { depth = max(0, depth - 1) }
        }
        return depth == 0
    }

    /// The maximum number of bytes to search for an opening parenthesis.
    private static let longestBracket = 200
}
