/// Scans text and verbalizes the parts that match a language's rules.
struct TextNormalizer {
    private let bytes: [UInt8]
    private let language: Language
    private let ruleIndex: RuleIndex
    private let ruleNumbers: FixedBuffer<Int32>
    private let heads: FixedBuffer<RuleHead>
    private var matcher: Matcher
    private let speaker: Speaker
    private var found: [Replacement] = []

    /// The longest match at a token, with its rule and captures.
    private struct Match {
        var end = -1
        var rule = -1
        var captures = Captures(repeating: Capture())
    }
    private var best = Match()

    init(bytes: [UInt8], language: Language, numbers: NumberWords) {
        self.bytes = bytes
        self.language = language
        ruleIndex = language.index
        ruleNumbers = language.index.numbers
        heads = language.heads
        matcher = Matcher(bytes: bytes, language: language)
        speaker = Speaker(language: language, bytes: bytes, tokens: matcher.tokens, numbers: numbers)
    }

    /// Returns the replacements. At each token, the rule with the longest match takes precedence. Among matches of
    /// equal length, rules with conditions take precedence over rules without, and earlier rules over later ones.
    mutating func replacements() -> [Replacement] {
        let tokens = matcher.tokens
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            index = token.kind == .space ? index + 1 : normalize(token, at: index) ?? emoji(at: index) ?? index + 1
        }
        return found
    }

    /// A machine-independent measure of work. See `Matcher`.
    var work: Int { matcher.work + matcher.tokens.count }

    private mutating func normalize(_ token: Token, at index: Int) -> Int? {
        let next = mask(at: index + 1)
        let general = ruleIndex.general(at: token, next: next)
        let own = ruleIndex.own(at: token)
        let folded = ruleIndex.folded(at: token)
        guard general.count | own.count | folded.count != 0 else { return nil }
        let position = Position(
            index: index, next: next, third: mask(at: index + 2), canBegin: matcher.borders.canBegin(at: index))
        best.end = -1
        attempt(general, position)
        attempt(own, position)
        attempt(folded, position)
        guard best.end >= 0 else { return nil }
        let rule = language.rules[best.rule]
        guard let words = speaker.words(rule.template, best.captures) else { return nil }
        add(index..<best.end, words, rule.kind)
        return best.end
    }

    /// A position at which rules are tried.
    private struct Position {
        let index: Int
        let next: TokenMask
        let third: TokenMask
        let canBegin: Bool
    }

    private func mask(at index: Int) -> TokenMask {
        index < matcher.tokens.count ? TokenMask.of(matcher.tokens[index]) : .textEnd
    }

    /// Tries rules and keeps the best match.
    private mutating func attempt(_ part: RuleIndex.Part, _ position: Position) {
        for offset in Int(part.start)..<Int(part.start + part.count) {
            let number = Int(ruleNumbers[offset])
            let head = heads[number]
            guard !head.second.isDisjoint(with: position.next), !head.third.isDisjoint(with: position.third),
                position.canBegin || head.beginsAnywhere,
                let end = matcher.match(head, at: position.index), end > position.index, end >= best.end,
                end > best.end || wins(number, over: best.rule)
            else { continue }
            let captures = matcher.captures
            guard head.isFree || allows(language.rules[number], position.index..<end, captures) else { continue }
            best.end = end
            best.rule = number
            best.captures = captures
        }
    }

    /// Whether a rule takes precedence over another rule with an equally long match. Rules with conditions take
    /// precedence over rules without, and earlier rules over later ones.
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

    /// Replaces an emoji with its name. If the emoji is repeated, the name is used only once.
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
        // The period of a final abbreviation also ends the sentence.
        if range.count > 1, tokens[end - 1].exact == 0x2E, isTail(from: end) { end -= 1 }
        var words = words
        var start = Int(tokens[range.lowerBound].start)
        let isSpaced = language.settings.isUnspaced != true
        let isAfterWords = range.lowerBound > 0 && touches(tokens[range.lowerBound - 1])
        let isBeforeWords = end < tokens.count && tokens[end].isAlphanumeric && end == range.upperBound
        if words.isEmpty {
            // Removing text must not leave an extra space or join words.
            if isAfterWords, isBeforeWords { words = " " }
            if range.lowerBound > 0, tokens[range.lowerBound - 1].kind == .space {
                start = spaceStart(before: range.lowerBound)
            }
        } else if isSpaced {
            if isAfterWords
                || found.last.map({ $0.range.upperBound == start && !$0.words.isEmpty && $0.words.last != " " }) == true
            {
                words = " " + words
            }
            if isBeforeWords { words += " " }
        }
        found.append(Replacement(range: start..<Int(tokens[end - 1].end), words: words, kind: kind))
    }

    /// Returns the start of the space before a token, or the end of the previous replacement if that is later.
    private func spaceStart(before index: Int) -> Int {
        max(Int(matcher.tokens[index - 1].start), found.last?.range.upperBound ?? 0)
    }

    /// Whether a space is needed between the token and adjacent words.
    private func touches(_ token: Token) -> Bool {
        token.isAlphanumeric || token.exact == 0x29 || token.exact == 0x5D
    }

    /// Whether only closing punctuation and spaces follow.
    private func isTail(from index: Int) -> Bool {
        var index = index
        while index < matcher.tokens.count {
            let token = matcher.tokens[index]
            guard token.kind == .space || token.kind == .mark else { return false }
            // ) ] " ' and similar characters
            guard token.kind == .space || [0x29, 0x5D, 0x22, 0x27, 0x2019, 0x201D, 0xBB].contains(token.exact) else {
                return false
            }
            index += 1
        }
        return true
    }
}

/// A text range and the words that replace it.
package struct Replacement: Equatable, Sendable {
    /// The range in UTF-8 bytes, on character boundaries.
    package let range: Range<Int>
    /// The replacement text, which may be empty.
    package let words: String
    /// The kind that the rule assigns, such as "date" or "money".
    package let kind: String
}

extension [Replacement] {
    /// Returns the text with the replacements applied. The replacements must be sorted by position. Any replacement
    /// that overlaps an earlier one is ignored.
    package func applied(to text: String) -> String {
        let bytes = Array<UInt8>(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 2)
        var done = 0
        for replacement in self {
            guard replacement.range.lowerBound >= done, replacement.range.upperBound <= bytes.count else { continue }
            result += bytes[done..<replacement.range.lowerBound]
            result += replacement.words.utf8
            done = replacement.range.upperBound
        }
        result += bytes[done...]
        return String(decoding: result, as: UTF8.self)
    }
}
