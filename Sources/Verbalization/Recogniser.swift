/// Goes through a text and says what the rules of a language find in it.
struct Recogniser {
    private let bytes: [UInt8]
    private let language: Language
    private let ruleIndex: RuleIndex
    private let heads: FixedBuffer<RuleHead>
    private var matcher: Matcher
    private let speaker: Speaker
    private var found: [Replacement] = []

    /// What a rule takes.
    private struct Match {
        let end: Int
        let rule: Int
        let captures: Captures
    }

    init(bytes: [UInt8], language: Language, numbers: NumberWords) {
        self.bytes = bytes
        self.language = language
        ruleIndex = language.index
        heads = language.heads
        matcher = Matcher(bytes: bytes, language: language)
        speaker = Speaker(language: language, bytes: bytes, tokens: matcher.tokens, numbers: numbers)
    }

    /// At each token the rule that takes most; of those that take the same, the one with a
    /// condition, then the one that was read first.
    mutating func replacements() -> [Replacement] {
        var index = 0
        while index < matcher.tokens.count {
            index = recognise(at: index) ?? emoji(at: index) ?? index + 1
        }
        return found
    }

    private mutating func recognise(at index: Int) -> Int? {
        guard matcher.tokens[index].kind != .space else { return nil }
        var best: Match?
        let (first, second, third) = ruleIndex.parts(at: matcher.tokens[index])
        guard first.count + second.count + third.count > 0 else { return nil }
        let canBegin = matcher.borders.canBegin(at: index)
        let isLast = index + 1 == matcher.tokens.count
        let next = isLast ? TokenMask.textEnd : TokenMask.of(matcher.tokens[index + 1])
        attempt(first, index, next, canBegin, &best)
        attempt(second, index, next, canBegin, &best)
        attempt(third, index, next, canBegin, &best)
        guard let best, let words = speaker.words(language.rules[best.rule].template, best.captures) else {
            return nil
        }
        add(index..<best.end, words, language.rules[best.rule].kind)
        return best.end
    }

    /// Tries rules, and keeps the best.
    private mutating func attempt(
        _ part: RuleIndex.Part, _ index: Int, _ next: TokenMask, _ canBegin: Bool, _ best: inout Match?
    ) {
        for offset in 0..<part.count {
            let number = ruleIndex.rule(offset, of: part)
            let head = heads[number]
            guard !head.second.isDisjoint(with: next), canBegin || head.beginsAnywhere,
                let end = matcher.match(head, at: index), end > index
            else {
                continue
            }
            if let best, best.end > end { continue }
            if let best, best.end == end, !wins(number, over: best.rule) { continue }
            let match = Match(end: end, rule: number, captures: matcher.captures)
            if allows(language.rules[number], index..<end, match.captures) { best = match }
        }
    }

    /// Of rules that take the same, those with conditions come first, then those that were read first.
    private func wins(_ rule: Int, over other: Int) -> Bool {
        if heads[rule].isConditional != heads[other].isConditional { return heads[rule].isConditional }
        return rule < other
    }

    private mutating func allows(_ rule: Rule, _ range: Range<Int>, _ captures: Captures) -> Bool {
        for order in rule.orders {
            guard let lower = speaker.integer(captures[order.lower]),
                let upper = speaker.integer(captures[order.upper]), lower < upper
            else { return false }
        }
        for neighbour in rule.after
        where matcher.follows(neighbour.pattern, at: range.upperBound) != neighbour.isWanted { return false }
        for neighbour in rule.before
        where matcher.precedes(neighbour.pattern, before: range.lowerBound) != neighbour.isWanted { return false }
        return true
    }

    /// An emoji, once if it is repeated.
    private mutating func emoji(at index: Int) -> Int? {
        guard let (first, name) = language.emoji.name(at: index, in: matcher.tokens) else { return nil }
        var end = first
        while end < matcher.tokens.count, let next = language.emoji.name(at: end, in: matcher.tokens),
            next.name == name
        {
            end = next.end
        }
        add(index..<end, name, "emoji")
        return end
    }

    private mutating func add(_ range: Range<Int>, _ words: String, _ kind: String) {
        let tokens = matcher.tokens
        var end = range.upperBound
        // The full stop of an abbreviation at the end is the sentence's, too.
        if range.count > 1, tokens[end - 1].exact == 0x2E, isTail(from: end) { end -= 1 }
        var words = words
        let isSpaced = language.settings.isUnspaced != true
        if isSpaced, range.lowerBound > 0, touches(tokens[range.lowerBound - 1]) { words = " " + words }
        if isSpaced, end < tokens.count, tokens[end].isAlphanumeric, end == range.upperBound { words += " " }
        let start = Int(tokens[range.lowerBound].start)
        found.append(Replacement(range: start..<Int(tokens[end - 1].end), words: words, kind: kind))
    }

    /// Whether words need a space after what stands before them.
    private func touches(_ token: Token) -> Bool {
        token.isAlphanumeric || token.exact == 0x29 || token.exact == 0x5D
    }

    /// Whether only closing marks and spaces follow.
    private func isTail(from index: Int) -> Bool {
        var index = index
        while index < matcher.tokens.count {
            let token = matcher.tokens[index]
            guard token.kind == .space || token.kind == .mark else { return false }
            // ) ] " ' and their likes
            guard token.kind == .space || [0x29, 0x5D, 0x22, 0x27, 0x2019, 0x201D, 0xBB].contains(token.exact) else {
                return false
            }
            index += 1
        }
        return true
    }
}
