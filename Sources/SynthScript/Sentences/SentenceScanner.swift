/// Finds utterances in a growing buffer of filtered text (see `ControlFilter`).
///
/// The scanner is a state machine that examines each scalar a limited number of times. The result does not depend on
/// chunk sizes. The rules for the gap after a terminator are in `SentenceScanner+Gap.swift`.
struct SentenceScanner: Sendable {
    enum Input: Sendable {
        case open
        /// More text may follow, but none has arrived for some time.
        case idle
        case complete
    }

    struct Piece: Sendable, Equatable {
        let range: Range<Int>
        let pause: PauseKind
    }

    enum LineKind: Sendable, Equatable {
        case plain
        case item(indent: Int)
        case dialogue
    }

    enum Step {
        case proceed
        case needsMore
        case found(Piece)
    }

    var limits: UtteranceLimits
    /// The first byte of the current utterance.
    var start: Int?
    /// The next byte to read.
    var cursor = 0
    /// The number of scalars from `start` to `cursor`.
    var count = 0
    var gap: Gap?
    var line = LineKind.plain
    /// The number of steps, including repeated ones: bytes within a sentence, scalars in a gap, and scalars examined to
    /// find a split position. The search for the word before a period is bounded and not counted.
    private(set) var work = 0
    /// Whether the current paragraph consists of short lines.
    var shortLines = ShortLines.Verdict.unknown
    /// Whether the utterance began at the start of a line.
    private(set) var beganLine = false
    private var isFirst = true
    private var isAtLineStart = true
    private var indent = 0
    /// The length of the list item number at the cursor within a line.
    var itemBytes = 0
    /// The number of the first list item after a colon in this utterance, or 0 if there is none.
    var itemAfterColon = 0
    /// The number of the most recent list item in the current paragraph.
    var lastItem: ItemNumber?
    /// The guillemet that opened the current quotation: « in French or » in German.
    private var openGuillemet: ScalarClass?

    init(limits: UtteranceLimits) {
        self.limits = limits
    }

    /// The position of the first byte in the buffer that is still needed.
    var firstNeeded: Int {
        start ?? cursor
    }

    /// Whether » after white space closes a quotation, as in French.
    var isInFrenchQuote: Bool {
        openGuillemet == .leftGuillemet
    }

    mutating func forget(_ bytes: Int) {
        start = start.map { $0 - bytes }
        cursor -= bytes
        gap = gap?.moved(by: -bytes)
    }

    /// Applies the limits for a first utterance to the next one, unless it has already begun.
    mutating func restartFromBeginning() {
        if start == nil { isFirst = true }
    }

    mutating func note(work more: Int) {
        work += more
    }

    /// Returns the next utterance in `bytes[..<end]`, or nil if more text is needed or no utterance remains.
    mutating func next(in bytes: Span<UInt8>, end: Int, input: Input) -> Piece? {
        while true {
            let step: Step
            if start == nil {
                step = enter(bytes, end: end, input: input)
            } else if gap == nil {
                step = scanSentence(bytes, end: end, input: input)
            } else {
                step = scanGap(bytes, end: end, input: input)
            }
            switch step {
            case .proceed: continue
            case .found(let piece):
                if !piece.range.isEmpty { return piece }
            case .needsMore:
                return rest(bytes, end: end, input: input)
            }
        }
    }

    mutating func cut(at position: Int, pause: PauseKind, in bytes: Span<UInt8>) -> Piece {
        let first = start ?? position
        let piece = Piece(range: first..<endOfVisible(from: first, to: position, in: bytes), pause: pause)
        if let item = ItemNumber(at: first, before: position, in: bytes) { lastItem = item }
        start = nil
        cursor = position
        count = 0
        gap = nil
        isFirst = false
        itemAfterColon = 0
        if pause == .paragraph {
            shortLines = .unknown
            openGuillemet = nil
            lastItem = nil
        }
        return piece
    }

    /// Ends the utterance because it has reached the length limit.
    mutating func cutLong(in bytes: Span<UInt8>) -> Step {
        guard let start else { return .proceed }
        if let gap, gap.isSpaced, gap.end > start {
            return .found(cut(at: gap.end, pause: gap.cause == .line ? .none : .sentence, in: bytes))
        }
        work += count
        let position = LongSentenceCut.position(start: start, limit: cursor, in: bytes)
        return .found(cut(at: position, pause: .none, in: bytes))
    }

    /// Skips white space before the utterance.
    private mutating func enter(_ bytes: Span<UInt8>, end: Int, input: Input) -> Step {
        while cursor < end {
            let (value, length) = UTF8Cursor.scalar(at: cursor, in: bytes)
            switch ScalarClass.of(value) {
            case .space: indent += 1
            case .lineBreak, .paragraphBreak:
                isAtLineStart = true
                indent = 0
            default: return begin(bytes, end: end, input: input)
            }
            work += 1
            cursor += length
        }
        return .needsMore
    }

    private mutating func begin(_ bytes: Span<UInt8>, end: Int, input: Input) -> Step {
        guard isAtLineStart else {
            if itemBytes == 0, mayBeItem(bytes[cursor]) {
                guard cursor + ItemNumber.longest < end || input != .open else { return .needsMore }
                itemBytes = nextItem(bytes, end: end)
            }
            (start, beganLine) = (cursor, false)
            cursor += itemBytes
            count = itemBytes
            itemBytes = 0
            return .proceed
        }
        let marker = LineMarker.read(at: cursor, bytes: bytes, end: end, isComplete: input == .complete)
        guard let marker else { return .needsMore }
        (start, beganLine) = (cursor, true)
        isAtLineStart = false
        switch marker {
        case .plain: line = .plain
        case .dash: line = .dialogue
        case .item(let length):
            line = .item(indent: indent)
            let scalars = UnspacedText.scalars(cursor..<cursor + length, in: bytes)
            guard scalars <= limits.scalars else { return .proceed }
            cursor += length
            count = scalars
        }
        return .proceed
    }

    private mutating func scanSentence(_ bytes: Span<UInt8>, end: Int, input: Input) -> Step {
        let first = cursor
        defer { work += max(0, cursor - first) }
        while cursor < end {
            let lead = bytes[cursor]
            if lead < 0x80, !Self.isStop(lead) {
                guard count < limits.scalars else { return cutLong(in: bytes) }
                count += 1
                cursor += 1
                continue
            }
            let (value, length) = UTF8Cursor.scalar(at: cursor, in: bytes)
            let kind = ScalarClass.of(value)
            guard count < limits.scalars else { return cutLong(in: bytes) }
            switch kind {
            case .period where isOmission(in: bytes), .ellipsis where isOmission(in: bytes): break
            case .period: open(.period, length: length)
            case .ellipsis: open(.ellipsis, length: length)
            case .strong: open(.strong, length: length)
            case .wide: open(.wide, length: length)
            case .clause where isAlphabetsOwnStop(value, before: cursor, in: bytes): open(.strong, length: length)
            case .closer where value == 0x29:
                guard cursor + 1 < end || input == .complete else { return .needsMore }
                let isSpaced = cursor + 1 < end && bytes[cursor + 1] == 0x20
                if isSpaced, let piece = cutItem(at: cursor, in: bytes) { return .found(piece) }
            case .ordinary where value == 0x3C:
                let step = takeTag(bytes, end: end, input: input)
                guard case .proceed = step else { return step }
            case .ordinary where value >= 0x2022 && isItem(bullet: length, in: bytes):
                isAtLineStart = true
                return .found(cut(at: cursor, pause: .sentence, in: bytes))
            case .lineBreak:
                let visible = endOfVisible(from: start ?? cursor, to: cursor, in: bytes)
                gap = Gap(
                    end: visible, cause: .line, dot: visible, isSpaced: true,
                    isAfterHeading: endsWithColon(at: visible, in: bytes) || isRule(upTo: visible, in: bytes))
                return .proceed
            case .paragraphBreak: return .found(cut(at: cursor, pause: .paragraph, in: bytes))
            case .clause, .wideClause, .dash:
                let step = cutEarly(kind, length: length, bytes: bytes, end: end, input: input)
                guard case .proceed = step else { return step }
            case .leftGuillemet, .rightGuillemet:
                openGuillemet = openGuillemet == nil ? kind : openGuillemet == kind ? kind : nil
            default: break
            }
            count += 1
            cursor += length
            if gap != nil { return .proceed }
        }
        return .needsMore
    }

    /// Whether the dot at the cursor is part of "[...]".
    private func isOmission(in bytes: Span<UInt8>) -> Bool {
        var place = cursor
        while place > 0, cursor - place < 4, bytes[place - 1] == UInt8(ascii: ".") || bytes[place - 1] == 0x20 {
            place -= 1
        }
        return place > 0 && bytes[place - 1] == UInt8(ascii: "[")
    }

    private mutating func open(_ cause: Gap.Cause, length: Int) {
        gap = Gap(end: cursor + length, cause: cause, dot: cursor)
    }

    /// Ends the first utterance at a clause mark if the limits require it.
    private mutating func cutEarly(
        _ kind: ScalarClass, length: Int, bytes: Span<UInt8>, end: Int, input: Input
    ) -> Step {
        guard isFirst, let least = limits.firstClauseAfter, count > 0, count >= least else { return .proceed }
        let after = cursor + length
        if kind != .wideClause {
            guard after < end else { return .needsMore }
            let isSpaced = ScalarClass.of(UTF8Cursor.scalar(at: after, in: bytes).value) == .space
            let isHyphen = kind == .dash && bytes[cursor - 1] != 0x20
            guard isSpaced, !isHyphen else { return .proceed }
        }
        // A remainder of one or two words would sound unnatural as a separate utterance.
        let rest = SentenceRest.of(least, from: after, in: bytes, end: end)
        switch rest {
        case .long: return .found(cut(at: after, pause: .none, in: bytes))
        case .short: return .proceed
        case .cutOff: return input == .complete ? .proceed : .needsMore
        }
    }

    /// Returns the last utterance, if any, once all available text has been read.
    private mutating func rest(_ bytes: Span<UInt8>, end: Int, input: Input) -> Piece? {
        guard let start, cursor == end || input == .complete else { return nil }
        switch input {
        case .open: return nil
        case .complete: return cut(at: end, pause: .sentence, in: bytes)
        case .idle:
            guard let gap, gap.opening == nil else { return nil }
            let mayEnd =
                gap.lineBreaks > 0 || gap.cause != .period || gap.isClosed
                || PeriodClassifier.mayEnd(dot: gap.dot, start: start, in: bytes)
            return mayEnd ? cut(at: gap.end, pause: .sentence, in: bytes) : nil
        }
    }

    private func endOfVisible(from first: Int, to position: Int, in bytes: Span<UInt8>) -> Int {
        var end = position
        while end > first {
            let previous = UTF8Cursor.start(before: end, floor: first, in: bytes)
            switch ScalarClass.of(UTF8Cursor.scalar(at: previous, in: bytes).value) {
            case .space, .lineBreak, .paragraphBreak: end = previous
            default: return end
            }
        }
        return end
    }

    /// Whether the character, which starts at `position`, is a semicolon used as a Greek question mark, or a colon used
    /// as an Armenian full stop.
    private func isAlphabetsOwnStop(_ value: UInt32, before position: Int, in bytes: Span<UInt8>) -> Bool {
        guard value == 0x3B || value == 0x3A, let start, position > start else { return false }
        let last = UTF8Cursor.start(before: position, floor: start, in: bytes)
        let letter = UTF8Cursor.scalar(at: last, in: bytes).value
        if value == 0x3A { return (0x531..<0x590).contains(letter) }
        return (0x370..<0x400).contains(letter) || (0x1F00..<0x2000).contains(letter)
    }

    private func endsWithColon(at end: Int, in bytes: Span<UInt8>) -> Bool {
        guard let start, end > start else { return false }
        let last = UTF8Cursor.start(before: end, floor: start, in: bytes)
        let value = UTF8Cursor.scalar(at: last, in: bytes).value
        return value == 0x3A || value == 0xFF1A
    }

    /// Whether the line at a position is just a horizontal rule, such as "=====" or "_____". Returns nil if more text
    /// is needed.
    static func isRule(at position: Int, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Bool? {
        let sign = bytes[position]
        guard "=-_*~#".utf8.contains(sign) else { return false }
        var last = position
        while last < end, bytes[last] == sign, last - position < longestRule { last += 1 }
        let length = last - position
        while last < end, bytes[last] == 0x20, last - position < longestRule { last += 1 }
        guard last < end else { return isComplete ? length >= shortestRule : nil }
        return length == longestRule || length >= shortestRule && bytes[last] <= 0x0D
    }

    private static let shortestRule = 4
    private static let longestRule = 200

    /// Whether the utterance up to a position is just a horizontal rule.
    private func isRule(upTo end: Int, in bytes: Span<UInt8>) -> Bool {
        guard let start, start < end else { return false }
        return Self.isRule(at: start, in: bytes, end: end, isComplete: true) == true
    }

    /// Whether an ASCII character needs special handling within a sentence: line and page breaks, "!", ")", ",", "-",
    /// ".", ":", ";", "<", "?".
    private static func isStop(_ byte: UInt8) -> Bool {
        let stops: UInt64 =
            1 << 0x0A | 1 << 0x0C | 1 << 0x21 | 1 << 0x29 | 1 << 0x2C | 1 << 0x2D | 1 << 0x2E | 1 << 0x3A | 1 << 0x3B
            | 1 << 0x3C | 1 << 0x3F
        return byte < 64 && stops >> UInt64(byte) & 1 == 1
    }
}
