/// The characters between a possible end of an utterance and the next letter: additional terminators, closing quotes,
/// white space, line breaks and opening quotes. Whether the utterance ends depends on the next letter.
struct Gap: Sendable {
    enum Cause: Sendable {
        /// A line break without a terminator.
        case line
        case period
        case ellipsis
        case strong
        case wide

        /// Combines this cause with one that directly follows it.
        func joined(with other: Cause) -> Cause {
            switch (self, other) {
            case (.wide, _), (_, .wide): .wide
            case (.strong, _), (_, .strong): .strong
            default: .ellipsis
            }
        }
    }

    /// The end of the utterance if it ends in this gap.
    var end: Int
    var cause: Cause
    /// The position of the first terminator.
    var dot: Int
    var isClosed = false
    var isSpaced = false
    var lineBreaks = 0
    /// The indentation of the last line, in columns.
    var indent = 0
    /// Whether the previous line ended with a colon or was a horizontal rule, such as "=====".
    var isAfterHeading = false
    /// The position of the opening marks after the white space, and the number of scalars that precede them in the
    /// utterance.
    var opening: (position: Int, count: Int)?
    var hasDash = false

    /// Returns the gap with its positions shifted by a number of bytes.
    func moved(by bytes: Int) -> Gap {
        var moved = self
        moved.end += bytes
        moved.dot += bytes
        moved.opening = opening.map { ($0.position + bytes, $0.count) }
        return moved
    }
}

/// Rules for the characters after a terminator or a line break.
extension SentenceScanner {
    /// Japanese particles that continue the sentence after a quotation: to, tte, o, ga, no.
    private static let quoteParticles: [UInt32] = [0x3068, 0x3063, 0x3092, 0x304C, 0x306E]

    mutating func scanGap(_ bytes: Span<UInt8>, end: Int, input: Input) -> Step {
        while var gap = self.gap {
            guard cursor < end else { return .needsMore }
            note(work: 1)
            let (value, length) = UTF8Cursor.scalar(at: cursor, in: bytes)
            let kind = ScalarClass.of(value)
            let step =
                gap.isSpaced
                ? takeAfterSpace(kind, value, length, gap: &gap, bytes: bytes, end: end, input: input)
                : takeAtEnd(kind, value, length, gap: &gap, bytes: bytes, end: end, input: input)
            guard case .proceed = step else { return step }
            guard self.gap != nil else { return .proceed }
            // Count only characters that remain in the utterance.
            guard count < limits.scalars else { return cutLong(in: bytes) }
            self.gap = gap
            count += 1
            cursor += length
        }
        return .proceed
    }

    /// Handles characters that directly follow the end of a sentence: additional terminators, closing marks and
    /// accents.
    private mutating func takeAtEnd(
        _ kind: ScalarClass, _ value: UInt32, _ length: Int, gap: inout Gap, bytes: Span<UInt8>, end: Int, input: Input
    ) -> Step {
        switch kind {
        case .period, .ellipsis, .strong, .wide:
            let cause: Gap.Cause =
                kind == .period ? .period : kind == .ellipsis ? .ellipsis : kind == .strong ? .strong : .wide
            gap.cause = gap.cause.joined(with: cause)
            gap.end = cursor + length
        case .quote, .closer, .leftGuillemet, .rightGuillemet,
            .turnedQuote where gap.cause != .wide:
            gap.isClosed = true
            gap.end = cursor + length
        case .opener where value == 0x5B:
            guard let reference = referenceBytes(bytes, end: end, input: input) else { return .needsMore }
            guard reference > 0, count + reference <= limits.scalars else { return continueSentence() }
            gap.isClosed = true
            gap.end = cursor + reference
            cursor += reference - length
            count += reference - length
        case .space: gap.isSpaced = true
        case .lineBreak:
            gap.isSpaced = true
            gap.lineBreaks = 1
        case .paragraphBreak: return .found(cut(at: gap.end, pause: .paragraph, in: bytes))
        default:
            if ScalarClass.isExtender(value) || ScalarClass.isInvisible(value) {
                gap.end = cursor + length
                return .proceed
            }
            if value == 0x3C, let step = takeTag(after: &gap, bytes, end: end, input: input) { return step }
            if UnspacedText.isNoteDigit(value) {
                guard let note = noteBytes(gap, bytes: bytes, end: end, input: input) else { return .needsMore }
                if note > 0, count + note <= limits.scalars {
                    gap.isClosed = true
                    gap.end = cursor + note
                    count += UnspacedText.scalars(cursor..<cursor + note, in: bytes) - 1
                    cursor += note - length
                    return .proceed
                }
            }
            guard let continuesText = continuesUnspaced(kind, value, gap, bytes: bytes, end: end, input: input) else {
                return .needsMore
            }
            return continuesText ? continueSentence() : .found(cut(at: gap.end, pause: .sentence, in: bytes))
        }
        return .proceed
    }

    /// Whether the sentence continues at a character that follows the possible sentence end without white space.
    /// Returns nil if more text is needed.
    private func continuesUnspaced(
        _ kind: ScalarClass, _ value: UInt32, _ gap: Gap, bytes: Span<UInt8>, end: Int, input: Input
    ) -> Bool? {
        if kind == .clause || kind == .wideClause { return true }
        switch gap.cause {
        case .wide:
            if let start, UnspacedText.isInTitle(gap.dot, from: start, in: bytes) { return true }
            guard gap.isClosed else { return false }
            return Self.quoteParticles.contains(value)
                ? true : UnspacedText.namesSpeaker(from: cursor, in: bytes, end: end, isComplete: input == .complete)
        case .strong:
            let isInverted = value == 0xA1 || value == 0xBF
            if isInverted || ScalarClass.isSpaceless(value) { return false }
            return continuesAtCapital(gap, bytes: bytes, end: end, input: input)
        case .ellipsis:
            guard kind == .ordinary, ScalarClass.isSpaceless(value), let start else { return true }
            return UnspacedText.isHesitation(before: gap.dot, from: start, next: value, in: bytes)
        case .line: return true
        case .period: return continuesAtCapital(gap, bytes: bytes, end: end, input: input)
        }
    }

    /// Whether the sentence continues at a capital letter that directly follows its possible end. If it does not, a
    /// space is missing between two sentences. Returns nil if more text is needed.
    private func continuesAtCapital(_ gap: Gap, bytes: Span<UInt8>, end: Int, input: Input) -> Bool? {
        UnspacedText.lacksSpace(position(of: gap), in: bytes, end: end, isComplete: input == .complete).map { !$0 }
    }

    /// Returns the length of the footnote number at the cursor, 0 if there is none, or nil if more text is needed.
    private func noteBytes(_ gap: Gap, bytes: Span<UInt8>, end: Int, input: Input) -> Int? {
        guard gap.cause == .period || gap.cause == .strong else { return 0 }
        return UnspacedText.noteBytes(position(of: gap), in: bytes, end: end, isComplete: input == .complete)
    }

    private func position(of gap: Gap) -> UnspacedText.DotPosition {
        .init(dot: gap.dot, next: cursor, start: start ?? gap.dot, isClosed: gap.isClosed)
    }

    private mutating func takeAfterSpace(
        _ kind: ScalarClass, _ value: UInt32, _ length: Int, gap: inout Gap, bytes: Span<UInt8>, end: Int, input: Input
    ) -> Step {
        switch kind {
        case .space:
            gap.indent += 1
            return .proceed
        case .ordinary where gap.opening != nil && ScalarClass.isInvisible(value): return .proceed
        case .ordinary where value == 0x3C:
            if let step = takeTag(after: &gap, bytes, end: end, input: input) { return step }
        // A combining accent after a space combines with the space.
        case .ordinary where gap.opening == nil && (ScalarClass.isExtender(value) || ScalarClass.isInvisible(value)):
            gap.end = cursor + length
            return .proceed
        case .lineBreak where gap.opening == nil:
            gap.lineBreaks += 1
            gap.indent = 0
            // Two consecutive line breaks end the paragraph.
            return gap.lineBreaks < 2 ? .proceed : .found(cut(at: gap.end, pause: .paragraph, in: bytes))
        case .paragraphBreak where gap.opening == nil:
            return .found(cut(at: gap.end, pause: .paragraph, in: bytes))
        default: break
        }
        if gap.lineBreaks > 0, gap.opening == nil {
            switch startsUtterance(gap, bytes: bytes, end: end, input: input) {
            case nil: return .needsMore
            case true?: return .found(cut(at: gap.end, pause: .sentence, in: bytes))
            case false?: break
            }
        }
        guard gap.cause != .line else { return continueSentence() }
        switch kind {
        case .rightGuillemet where isInFrenchQuote && gap.opening == nil && gap.lineBreaks == 0 && !gap.isClosed,
            .closer where gap.opening == nil && gap.lineBreaks == 0:
            gap.isClosed = true
            gap.end = cursor + length
            return .proceed
        // Matches "It was cold. [3] Then it rained.", but not "[1] One note. [2] Another one."
        case .opener where value == 0x5B && gap.opening == nil && gap.lineBreaks == 0 && !beginsWithReference(bytes):
            guard let reference = referenceBytes(bytes, end: end, input: input) else { return .needsMore }
            guard reference > 0, count + reference <= limits.scalars else {
                gap.opening = (cursor, count)
                return .proceed
            }
            gap.end = cursor + reference
            cursor += reference - length
            count += reference - length
            return .proceed
        case .quote, .turnedQuote, .opener, .leftGuillemet, .rightGuillemet, .dash:
            gap.opening = gap.opening ?? (cursor, count)
            gap.hasDash = gap.hasDash || kind == .dash
            return .proceed
        default: return decide(kind, value, gap: gap, bytes: bytes, end: end, input: input)
        }
    }

    /// Returns the length of a reference such as "[12]" at the cursor, 0 if there is none, or nil if more text is
    /// needed.
    private func referenceBytes(_ bytes: Span<UInt8>, end: Int, input: Input) -> Int? {
        var index = cursor + 1
        while index < end, (0x30...0x39).contains(bytes[index]), index - cursor <= 4 { index += 1 }
        guard index < end else { return input == .complete ? 0 : nil }
        return bytes[index] == UInt8(ascii: "]") && index > cursor + 1 ? index + 1 - cursor : 0
    }

    /// Whether the sentence is a note that starts with its own reference number.
    private func beginsWithReference(_ bytes: Span<UInt8>) -> Bool {
        guard let start else { return false }
        return bytes[start] == 0x5B
    }

    /// Whether the line at the cursor starts a new utterance. Returns nil if more text is needed.
    private mutating func startsUtterance(_ gap: Gap, bytes: Span<UInt8>, end: Int, input: Input) -> Bool? {
        let marker = LineMarker.read(at: cursor, bytes: bytes, end: end, isComplete: input == .complete)
        switch marker {
        case nil: return nil
        case .item?: return true
        case .dash? where line == .dialogue: return true
        default: break
        }
        if gap.isAfterHeading { return true }
        guard let isRule = SentenceScanner.isRule(at: cursor, in: bytes, end: end, isComplete: input != .open) else {
            return nil
        }
        if isRule { return true }
        if case .item(let indent) = line { return gap.indent < indent + 2 }
        return beginsShortLine(gap, bytes, end: end, isComplete: input != .open)
    }

    private mutating func decide(
        _ kind: ScalarClass, _ value: UInt32, gap: Gap, bytes: Span<UInt8>, end: Int, input: Input
    ) -> Step {
        if gap.cause == .period, let piece = cutItem(at: gap.dot, in: bytes) { return .found(piece) }
        let ends: Bool
        switch (kind, gap.cause) {
        case (.period, .period), (.period, .strong):
            guard cursor + 6 < end || input != .open else { return .needsMore }
            ends = startsWithEllipsis(after: gap, in: bytes, end: end)
        case (.period, _), (.ellipsis, _), (.strong, _), (.wide, _), (.wideClause, _): ends = false
        // A mark directly after a closing quote continues the sentence. After a space, it may start an emoticon such as
        // ":-)".
        case (.clause, _) where value == 0x2C || bytes[cursor - 1] != 0x20: ends = false
        case (_, .wide): ends = true
        case (_, .strong) where ScalarClass.isLowercase(value) && isName(before: gap, in: bytes): ends = false
        case (_, .strong): ends = !(gap.isClosed || gap.hasDash) || !ScalarClass.isLowercase(value)
        // "the thing is ... I forgot": "I" is always capitalized, so it does not signal a new sentence.
        case (_, .ellipsis) where value == 0x49 && !gap.isClosed,
            (_, .period) where value == 0x49 && isSpacedDot(gap, in: bytes):
            guard cursor + 1 < end || input == .complete else { return .needsMore }
            ends = cursor + 1 < end && bytes[cursor + 1] != 0x20 && bytes[cursor + 1] != 0x27
        case (_, .ellipsis): ends = !ScalarClass.isLowercase(value)
        case (_, .line): ends = false
        case (_, .period):
            let isColon = kind == .clause && value == 0x3A
            if isColon, cursor + 1 == end, input != .complete { return .needsMore }
            // French puts a space before a colon: "Tél. : 04 72".
            let isColonAlone = isColon && cursor + 1 < end && bytes[cursor + 1] == 0x20
            if ScalarClass.isLowercase(value) {
                guard cursor + 2 < end || input != .open else { return .needsMore }
                ends = isBracketedItem(after: gap, in: bytes, end: end)
            } else if isColonAlone || isItemLetter(gap, in: bytes) {
                ends = false
            } else if gap.isClosed {
                ends = true
            } else {
                let verdict = PeriodClassifier.classify(
                    dot: gap.dot, next: cursor, start: start ?? gap.dot, bytes: bytes, end: end,
                    isComplete: input == .complete)
                if verdict == .needsMore { return .needsMore }
                ends = verdict == .ends
            }
        }
        return ends ? .found(cut(at: gap.end, pause: .sentence, in: bytes)) : continueSentence()
    }

    /// Whether the exclamation mark is part of a name, as in "Yahoo! in".
    private func isName(before gap: Gap, in bytes: Span<UInt8>) -> Bool {
        guard let start, bytes[gap.dot] == UInt8(ascii: "!"), gap.end == gap.dot + 1 else { return false }
        return PeriodClassifier.isNameWithMark(before: gap.dot, start: start, in: bytes)
    }

    /// Whether this is the last dot of ". . .".
    private func isSpacedDot(_ gap: Gap, in bytes: Span<UInt8>) -> Bool {
        guard let start, gap.dot > start + 1 else { return false }
        return bytes[gap.dot - 1] == 0x20 && bytes[gap.dot - 2] == UInt8(ascii: ".")
    }

    /// Whether the text at the cursor is an ellipsis directly before a word, which starts a sentence: "It ended. ...and
    /// so".
    private func startsWithEllipsis(after gap: Gap, in bytes: Span<UInt8>, end: Int) -> Bool {
        guard let start, cursor + 3 < end, bytes[cursor - 1] == 0x20,
            (0..<3).allSatisfy({ bytes[cursor + $0] == UInt8(ascii: ".") })
        else { return false }
        guard UnspacedText.isLetter(UTF8Cursor.scalar(at: cursor + 3, in: bytes).value) else { return false }
        return gap.cause == .strong || PeriodClassifier.endsOrdinaryWord(dot: gap.dot, start: start, in: bytes)
    }

    /// Continues the sentence. Opening marks in the gap are reprocessed as part of the sentence.
    private mutating func continueSentence() -> Step {
        if let opening = gap?.opening {
            cursor = opening.position
            count = opening.count
        }
        gap = nil
        return .proceed
    }
}
