/// Matches patterns against the tokens of one text.
struct Matcher {
    let bytes: [UInt8]
    let tokens: FixedBuffer<Token>
    private let program: FixedBuffer<Step>
    private let lists: WordLists
    let language: Language
    let borders: Borders
    private var special: SpecialMatch
    private(set) var captures = Captures(repeating: Capture())
    private var trail = Trail()
    private var starts = InlineArray<8, Int32>(repeating: 0)
    private var steps = 0
    private var earlierSteps = 0
    /// The most recently examined number. It is cached because many rules examine the same number.
    private var lastNumber = (index: -1, end: -1, hasFraction: false)
    private var end = EndCondition.anywhere

    /// Where a match must end.
    private enum EndCondition {
        case anywhere
        case border
        case exactly(Int)
    }

    /// The maximum number of steps in one match. For text that they are meant to match, the patterns in the tables need
    /// fewer steps.
    private static let stepLimit = 2000
    /// The maximum number of tokens (including spaces) before a match that a condition can examine: about eight words.
    private static let lookback = 16

    init(bytes: [UInt8], language: Language) {
        self.bytes = bytes
        self.language = language
        program = language.program
        lists = language.lists
        let tokens = FixedBuffer(Tokenizer.tokens(of: bytes, language.vocabulary))
        self.tokens = tokens
        borders = Borders(tokens: tokens)
        special = SpecialMatch(bytes: bytes, tokens: tokens, language: language)
    }

    /// Matches a rule and sets the captures.
    ///
    /// - Returns: the index of the token after the match.
    mutating func match(_ rule: RuleHead, at index: Int) -> Int? {
        reset()
        end = rule.endsAnywhere ? .anywhere : .border
        return run(Int(rule.start), index)
    }

    /// Whether the pattern matches exactly this range of tokens. Sets the captures.
    mutating func match(_ pattern: Pattern, at index: Int, endingAt last: Int) -> Bool {
        reset()
        end = .exactly(last)
        return run(pattern.start, index) != nil
    }

    /// Whether the pattern matches at the token. Does not change captures that a template uses.
    mutating func follows(_ pattern: Pattern, at index: Int) -> Bool {
        begin()
        end = .anywhere
        return run(pattern.start, index) != nil
    }

    /// Whether a match of the pattern ends directly before the token.
    mutating func precedes(_ pattern: Pattern, before index: Int) -> Bool {
        end = .exactly(index)
        for start in stride(from: index, through: max(0, index - Self.lookback), by: -1) {
            begin()
            if start < index, start > 0, tokens[start].isAlphanumeric, tokens[start - 1].isAlphanumeric { continue }
            if run(pattern.start, start) != nil { return true }
        }
        return false
    }

    /// The total number of steps in all matches plus the number of scanned tokens, a machine-independent measure of
    /// work.
    var work: Int { earlierSteps + steps + special.work }

    // MARK: - Steps

    private mutating func begin() {
        earlierSteps += steps
        steps = 0
    }

    private mutating func reset() {
        begin()
        guard trail.count > 0 else { return }
        captures = Captures(repeating: Capture())
        trail.count = 0
    }

    private func isEnd(_ index: Int) -> Bool {
        switch end {
        case .anywhere: true
        case .border: borders.canEnd(before: index)
        case .exactly(let wanted): index == wanted
        }
    }

    private mutating func set(_ slot: Int, _ capture: Capture) {
        trail.append(slot, captures[slot])
        captures[slot] = capture
    }

    private mutating func undo(to count: Int) {
        while trail.count > count {
            let last = trail.removeLast()
            captures[last.slot] = last.old
        }
    }

    private mutating func run(_ step: Int, _ index: Int) -> Int? {
        var step = step
        var index = index
        var fraction: Int32 = -1
        while true {
            steps += 1
            if steps > Self.stepLimit { return nil }
            switch program[step] {
            case .exact(let number):
                guard index < tokens.count, tokens[index].exact == number else { return nil }
                index += 1
            case .folded(let number):
                guard index < tokens.count, tokens[index].folded == number else { return nil }
                index += 1
            case .space:
                guard index < tokens.count, tokens[index].kind == .space else { return nil }
                index += 1
            case .optionalSpace:
                if index < tokens.count, tokens[index].kind == .space { index += 1 }
            case .digits(let lengths, let values):
                guard index < tokens.count, tokens[index].kind == .digits, tokens[index].length >= lengths.least,
                    tokens[index].length <= lengths.most
                else { return nil }
                if values.most != .max {
                    guard let found = DigitValue.of(bytes, tokens[index].range), found >= values.least,
                        found <= values.most
                    else {
                        return nil
                    }
                }
                index += 1
            case .number(let shape):
                guard let (next, part) = number(shape, at: index) else { return nil }
                index = next
                fraction = part
            case .word(let shape):
                guard index < tokens.count, matches(shape, tokens[index]) else { return nil }
                index += 1
            case .ending(let ending):
                guard index < tokens.count, tokens[index].kind == .word, ending.matches(bytes, tokens[index].range)
                else { return nil }
                index += 1
            case .special(let shape):
                guard index < tokens.count, let next = special.end(of: shape, at: index) else { return nil }
                index = next
            case .list(let list): return entry(of: list, step, index)
            case .textStart:
                guard index == 0 else { return nil }
            case .textEnd:
                guard index == tokens.count else { return nil }
            case .open(let slot):
                starts[slot] = Int32(truncatingIfNeeded: index)
                fraction = -1
            case .close(let slot):
                set(slot, Capture(start: starts[slot], end: Int32(truncatingIfNeeded: index), fraction: fraction))
            case .split(let other):
                let mark = trail.count
                if let end = run(step + 1, index) { return end }
                undo(to: mark)
                step = other
                continue
            case .jump(let target):
                step = target
                continue
            case .end: return isEnd(index) ? index : nil
            }
            step += 1
        }
    }

    /// Matches the longest list entry after which the rest of the pattern matches. Returns the end of the entire match.
    private mutating func entry(of list: Int, _ step: Int, _ index: Int) -> Int? {
        let matches = lists.entries(of: list, at: index, in: tokens)
        for position in stride(from: matches.count - 1, through: 0, by: -1) {
            let match = matches[position]
            let mark = trail.count
            var next = step + 1
            if case .close(let slot) = program[next] {
                set(slot, Capture(start: Int32(truncatingIfNeeded: index), end: match.end, entry: match.entry))
                next += 1
            }
            if let result = run(next, Int(match.end)) { return result }
            undo(to: mark)
        }
        return nil
    }

    private func matches(_ shape: WordShape, _ token: Token) -> Bool {
        guard token.kind == .word else { return false }
        switch shape {
        case .any: return true
        case .lower: return token.shape == .lower
        case .capital: return token.shape == .capital
        case .upper: return token.shape == .upper
        case .initial:
            return token.shape == .capital && token.isLetter
        case .letter: return token.isLetter
        case .roman, .anyRoman:
            guard token.shape == .upper || token.shape == .capital,
                let value = RomanNumber.value(bytes, token.range)
            else { return false }
            return shape == .anyRoman || value > 1 && !RomanNumber.isUsuallyALetter(value)
        case .romanYear:
            guard token.shape == .upper, token.length >= 4, let value = RomanNumber.value(bytes, token.range) else {
                return false
            }
            return (1000...2099).contains(value)
        case .unspeakable:
            var letters = token.range
            if token.shape == .mixed, bytes[letters.upperBound - 1] == 0x73 { letters.removeLast() }
            return (2...5).contains(letters.count)
                && bytes[letters].allSatisfy { (0x41...0x5A).contains($0) && !Vowels.contain($0) }
        }
    }

    /// Matches a number with the language's separators.
    private mutating func number(_ shape: NumberShape, at index: Int) -> (end: Int, fraction: Int32)? {
        if lastNumber.index != index { lastNumber = numberExtent(at: index) }
        guard lastNumber.end > index || lastNumber.hasFraction else { return nil }
        if lastNumber.hasFraction, shape != .integer {
            return (lastNumber.end + 2, Int32(clamping: lastNumber.end + 1))
        }
        return shape == .decimal || lastNumber.end == index ? nil : (lastNumber.end, -1)
    }

    /// Returns the token range of the integer part of the number at a token, and whether a fraction follows. If there
    /// is no number, or only a fraction (".5"), the range is empty.
    private func numberExtent(at index: Int) -> (index: Int, end: Int, hasFraction: Bool) {
        guard index < tokens.count else { return (index, index, false) }
        let first = tokens[index]
        guard first.kind == .digits else {
            let isBare =
                first.kind == .mark && first.exact == language.decimalMark && index + 1 < tokens.count
                && tokens[index + 1].kind == .digits
                && (index == 0 || !tokens[index - 1].isAlphanumeric && tokens[index - 1].exact != first.exact)
            return (index, index, isBare)
        }
        let startsWithZero = bytes[Int(first.start)] == 0x30
        if startsWithZero, first.length > 1 { return (index, index, false) }
        var end = index + 1
        if first.length <= 3, !startsWithZero {
            while end + 1 < tokens.count, end < index + 24, tokens[end + 1].kind == .digits,
                tokens[end + 1].length == 3, language.isGroupMark(tokens[end], bytes)
            {
                end += 2
            }
        }
        let hasFraction =
            end + 1 < tokens.count && tokens[end].kind == .mark && tokens[end].exact == language.decimalMark
            && tokens[end + 1].kind == .digits
        return (index, end, hasFraction)
    }
}
