/// The rules that may match at a token, in table order.
final class RuleIndex: Sendable {
    /// A range of `numbers`.
    struct Part: BitwiseCopyable, Sendable {
        var start: Int32 = 0
        var count: Int32 = 0
    }

    /// The rule numbers in all `Part` ranges.
    let numbers: FixedBuffer<Int32>
    /// The case-sensitive parts for words, indexed by word number minus `Token.firstWord`.
    private let words: FixedBuffer<Part>
    /// The case-insensitive parts for words, indexed in the same way.
    private let foldedWords: FixedBuffer<Part>
    /// The parts for symbols and ideographs, keyed by scalar.
    private let marks: [UInt32: Part]
    /// The parts for ASCII symbols.
    private let plainMarks: FixedBuffer<Part>
    /// The parts for each word shape, for each single-letter shape, and for digits, in that order. Each part is
    /// subdivided by the mask bit of the next token.
    private let general: FixedBuffer<Part>

    private static let shapes = 4
    private static let digits = 2 * shapes
    private static let plain = 128

    init(_ rules: [Rule], _ heads: FixedBuffer<RuleHead>, _ tables: TableBuilder) {
        var words = Parts(count: tables.vocabulary.count)
        var foldedWords = words
        var marks: [UInt32: [Int32]] = [:]
        var general: [[Int32]] = Array(repeating: [], count: Self.digits + 1)
        for (index, rule) in rules.enumerated() where !rule.onlyIfStated {
            let number = Int32(clamping: index)
            func add(_ token: UInt32, to words: inout Parts) {
                if token >= Token.firstWord {
                    words.add(number, to: Int(token - Token.firstWord))
                } else if marks[token]?.last != number {
                    marks[token, default: []].append(number)
                }
            }
            let first = rule.pattern.first(
                tables.program, decimalMark: tables.settings.decimalMark ?? LanguageSettings.fullStop)
            for token in first.exact { add(token, to: &words) }
            for token in first.folded { add(token, to: &foldedWords) }
            for list in first.lists {
                for token in tables.lists.firstNumbers[list] {
                    if tables.lists.anyCase[list] { add(token, to: &foldedWords) } else { add(token, to: &words) }
                }
            }
            for shape in Token.Shape.allCases {
                let isAnyWord = first.shapes.contains(shape)
                if isAnyWord { general[Int(shape.rawValue)].append(number) }
                if isAnyWord || first.letters.contains(shape) {
                    general[Self.shapes + Int(shape.rawValue)].append(number)
                }
            }
            if first.digits { general[Self.digits].append(number) }
        }
        var all: [Int32] = []
        func part(_ numbers: [Int32]) -> Part {
            if numbers.isEmpty { return Part() }
            defer { all += numbers }
            return Part(start: Int32(clamping: all.count), count: Int32(clamping: numbers.count))
        }
        self.words = FixedBuffer(words.parts(in: &all))
        self.foldedWords = FixedBuffer(foldedWords.parts(in: &all))
        let parts = marks.mapValues(part)
        self.marks = parts
        plainMarks = FixedBuffer((0..<Self.plain).map { parts[UInt32($0)] ?? Part() })
        self.general = FixedBuffer(
            general.flatMap { rules in
                (0..<TokenMask.bits).map { bit in
                    part(rules.filter { !heads[Int($0)].second.isDisjoint(with: TokenMask(bit: bit)) })
                }
            })
        numbers = FixedBuffer(all)
    }

    /// The rules for each word, collected in table order.
    private struct Parts {
        private var pairs: [(word: Int, rule: Int32)] = []
        /// The last rule that was added to each word.
        private var last: [Int32]

        init(count: Int) { last = Array(repeating: -1, count: count) }

        /// Adds a rule unless it is the word's last rule.
        mutating func add(_ rule: Int32, to word: Int) {
            guard last[word] != rule else { return }
            last[word] = rule
            pairs.append((word, rule))
        }

        /// Appends the rules to `numbers`, word by word, and returns the part of each word.
        func parts(in numbers: inout [Int32]) -> [Part] {
            var parts = [Part](repeating: Part(), count: last.count)
            for pair in pairs { parts[pair.word].count += 1 }
            var start = Int32(clamping: numbers.count)
            for word in parts.indices where parts[word].count > 0 {
                parts[word].start = start
                start += parts[word].count
                parts[word].count = 0
            }
            numbers += repeatElement(0, count: pairs.count)
            for pair in pairs {
                numbers[Int(parts[pair.word].start + parts[pair.word].count)] = pair.rule
                parts[pair.word].count += 1
            }
            return parts
        }
    }

    /// Returns the rules for which a match can start with any token of this type and shape and continue with the next
    /// token.
    func general(at token: Token, next: TokenMask) -> Part {
        switch token.kind {
        case .space, .mark, .ideograph: Part()
        case .word:
            general[(Int(token.shape.rawValue) + (token.isLetter ? Self.shapes : 0)) * TokenMask.bits + next.bit]
        case .digits: general[Self.digits * TokenMask.bits + next.bit]
        }
    }

    /// Returns the rules that start with exactly this token.
    func own(at token: Token) -> Part {
        switch token.kind {
        case .space: return Part()
        case .mark, .ideograph:
            return token.exact < Self.plain ? plainMarks[Int(token.exact)] : marks[token.exact] ?? Part()
        case .digits, .word:
            return token.exact == Token.unknown ? Part() : words[Int(token.exact - Token.firstWord)]
        }
    }

    /// Returns the rules that start with the token's word, ignoring case.
    func folded(at token: Token) -> Part {
        guard token.isAlphanumeric, token.folded != Token.unknown else { return Part() }
        return foldedWords[Int(token.folded - Token.firstWord)]
    }
}
