/// The rules for what follows a terminator or a line break.
extension SentenceScanner {
    mutating func scanGap(_ bytes: Span<UInt8>, end: Int, input: Input) -> Step {
        while var gap = self.gap {
            guard cursor < end else { return .needsMore }
            note(work: 1)
            let (value, length) = UTF8Cursor.scalar(at: cursor, in: bytes)
            let kind = ScalarClass.of(value)
            let step =
                gap.isSpaced
                ? takeBehindSpace(kind, value, length, gap: &gap, bytes: bytes, end: end, input: input)
                : takeBesideEnd(kind, value, length, gap: &gap, bytes: bytes)
            guard case .goOn = step else { return step }
            guard self.gap != nil else { return .goOn }
            // Only what stays in the utterance counts against the limit.
            guard count < limits.scalars else { return cutLong(in: bytes) }
            self.gap = gap
            count += 1
            cursor += length
        }
        return .goOn
    }

    /// What touches the end: more terminators, closing marks, accents.
    private mutating func takeBesideEnd(
        _ kind: ScalarClass, _ value: UInt32, _ length: Int, gap: inout Gap, bytes: Span<UInt8>
    ) -> Step {
        switch kind {
        case .period, .ellipsis, .strong, .wide:
            let cause: Gap.Cause =
                kind == .period ? .period : kind == .ellipsis ? .ellipsis : kind == .strong ? .strong : .wide
            gap.cause = gap.cause.joined(with: cause)
            gap.end = cursor + length
        case .quote, .closer, .leftGuillemet, .rightGuillemet:
            gap.isClosed = true
            gap.end = cursor + length
        case .turnedQuote where gap.cause != .wide:
            gap.isClosed = true
            gap.end = cursor + length
        case .space: gap.isSpaced = true
        case .lineBreak:
            gap.isSpaced = true
            gap.lineBreaks = 1
        case .paragraphBreak: return .found(cut(at: gap.end, pause: .paragraph, in: bytes))
        default:
            if ScalarClass.isExtender(value) {
                gap.end = cursor + length
                return .goOn
            }
            let isSentence = gap.cause == .wide || gap.cause == .strong && ScalarClass.isSpaceless(value)
            guard isSentence, kind != .clause, kind != .wideClause else { return resume() }
            return .found(cut(at: gap.end, pause: .sentence, in: bytes))
        }
        return .goOn
    }

    private mutating func takeBehindSpace(
        _ kind: ScalarClass, _ value: UInt32, _ length: Int, gap: inout Gap, bytes: Span<UInt8>, end: Int, input: Input
    ) -> Step {
        switch kind {
        case .space:
            gap.indent += 1
            return .goOn
        case .lineBreak where gap.opening == nil:
            gap.lineBreaks += 1
            gap.indent = 0
            // The line break that opened a gap without a terminator is the first that is seen here.
            return gap.lineBreaks < 2 ? .goOn : .found(cut(at: gap.end, pause: .paragraph, in: bytes))
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
        guard gap.cause != .line else { return resume() }
        switch kind {
        case .rightGuillemet where isInFrenchQuote && gap.opening == nil && gap.lineBreaks == 0 && !gap.isClosed:
            gap.isClosed = true
            gap.end = cursor + length
            return .goOn
        case .closer where gap.opening == nil && gap.lineBreaks == 0:
            gap.isClosed = true
            gap.end = cursor + length
            return .goOn
        case .quote, .turnedQuote, .opener, .leftGuillemet, .rightGuillemet, .dash:
            gap.opening = gap.opening ?? (cursor, count)
            gap.hasDash = gap.hasDash || kind == .dash
            return .goOn
        default: return decide(kind, value, gap: gap, bytes: bytes, end: end, input: input)
        }
    }

    /// Whether the line that starts at the cursor is spoken on its own; nil where its first bytes are not all at hand.
    private func startsUtterance(_ gap: Gap, bytes: Span<UInt8>, end: Int, input: Input) -> Bool? {
        let marker = LineMarker.read(at: cursor, bytes: bytes, end: end, isComplete: input == .complete)
        switch marker {
        case nil: return nil
        case .item?: return true
        case .dash? where line == .dialogue: return true
        default: break
        }
        if gap.isAfterColon { return true }
        if case .item(let indent) = line { return gap.indent < indent + 2 }
        return false
    }

    private mutating func decide(
        _ kind: ScalarClass, _ value: UInt32, gap: Gap, bytes: Span<UInt8>, end: Int, input: Input
    ) -> Step {
        let ends: Bool
        switch (kind, gap.cause) {
        case (.period, _), (.ellipsis, _), (.strong, _), (.wide, _), (.clause, _), (.wideClause, _): ends = false
        case (_, .wide): ends = true
        case (_, .strong): ends = !(gap.isClosed || gap.hasDash) || !ScalarClass.isLowercase(value)
        case (_, .ellipsis): ends = !ScalarClass.isLowercase(value)
        case (_, .line): ends = false
        case (_, .period):
            if ScalarClass.isLowercase(value) {
                ends = false
            } else if gap.isClosed {
                ends = true
            } else {
                let verdict = PeriodJudge.judge(
                    dot: gap.dot, next: cursor, start: start ?? gap.dot, bytes: bytes, end: end,
                    isComplete: input == .complete)
                if verdict == .needsMore { return .needsMore }
                ends = verdict == .ends
            }
        }
        return ends ? .found(cut(at: gap.end, pause: .sentence, in: bytes)) : resume()
    }

    /// Goes on with the sentence. Opening marks that were passed are read again, this time as part of it.
    private mutating func resume() -> Step {
        if let opening = gap?.opening {
            cursor = opening.position
            count = opening.count
        }
        gap = nil
        return .goOn
    }
}
