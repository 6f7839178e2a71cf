/// The rules that may match at a token, in table order.
final class RuleIndex: Sendable {
    /// A range of `numbers`.
    struct Part: BitwiseCopyable, Sendable {
        var start: Int32 = 0
        var count: Int32 = 0
    }

    /// The rule numbers of all parts.
    let numbers: FixedBuffer<Int32>
    /// The case-sensitive parts for words, indexed by word number minus `Token.firstWord`.
    private let words: FixedBuffer<Part>
    /// The case-insensitive parts for words, indexed in the same way.
    private let foldedWords: FixedBuffer<Part>
    /// The parts for symbols and ideographs, keyed by scalar.
    private let marks: [UInt32: Part]
    /// The parts for ASCII symbols.
    private let plainMarks: FixedBuffer<Part>
    /// The parts for each word shape, for each single-letter shape, and for digits, in this order. Each of these parts is
    /// subdivided by the mask bit of the next token.
    private let general: FixedBuffer<Part>

    private static let shapes = 4
    private static let digits = 2 * shapes
    private static let plain = 128

    init(_ rules: [Rule], _ heads: FixedBuffer<RuleHead>, _ tables: TableBuilder) {
        var words: [[Int32]] = Array(repeating: [], count: tables.vocabulary.count)
        var foldedWords = words
        var marks: [UInt32: [Int32]] = [:]
        var general: [[Int32]] = Array(repeating: [], count: Self.digits + 1)
        for (index, rule) in rules.enumerated() where !rule.onlyIfStated {
            let number = Int32(clamping: index)
            let first = rule.pattern.first(
                tables.program, tables.lists, decimalMark: tables.settings.decimalMark ?? LanguageSettings.fullStop)
            for word in first.exact {
                if word >= Token.firstWord {
                    words[Int(word - Token.firstWord)].append(number)
                } else {
                    marks[word, default: []].append(number)
                }
            }
            for word in first.folded {
                if word >= Token.firstWord {
                    foldedWords[Int(word - Token.firstWord)].append(number)
                } else if !first.exact.contains(word) {
                    marks[word, default: []].append(number)
                }
            }
            for shape in first.shapes { general[Int(shape.rawValue)].append(number) }
            for shape in first.letters.union(first.shapes) { general[Self.shapes + Int(shape.rawValue)].append(number) }
            if first.digits { general[Self.digits].append(number) }
        }
        var all: [Int32] = []
        func part(_ numbers: [Int32]) -> Part {
            if numbers.isEmpty { return Part() }
            defer { all += numbers }
            return Part(start: Int32(clamping: all.count), count: Int32(clamping: numbers.count))
        }
        self.words = FixedBuffer(words.map(part))
        self.foldedWords = FixedBuffer(foldedWords.map(part))
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

    /// Returns the rules that can start with any token of this type and shape and continue with the next token.
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
