/// Which rules may begin at a token, in the order in which they were read.
final class RuleIndex: Sendable {
    /// A part of `numbers`.
    struct Part: BitwiseCopyable, Sendable {
        var start: Int32 = 0
        var count: Int32 = 0
    }

    private let numbers: FixedBuffer<Int32>
    /// By the numbers of words, from `Token.firstWord` on: as they are written, then in whatever letters.
    private let words: FixedBuffer<Part>
    private let foldedWords: FixedBuffer<Part>
    /// By the scalars of marks and ideographs.
    private let marks: [UInt32: Part]
    private let digits: Part
    private let shapes: FixedBuffer<Part>

    init(_ rules: [Rule], _ tables: TableBuilder) {
        var words: [[Int32]] = Array(repeating: [], count: tables.vocabulary.count)
        var foldedWords = words
        var marks: [UInt32: [Int32]] = [:]
        var digits: [Int32] = []
        var shapes: [[Int32]] = Array(repeating: [], count: 4)
        for (index, rule) in rules.enumerated() where !rule.onlyIfAsked {
            let number = Int32(clamping: index)
            let first = rule.pattern.first(tables.program, tables.lists)
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
            for shape in first.shapes { shapes[Int(shape.rawValue)].append(number) }
            if first.digits { digits.append(number) }
        }
        var all: [Int32] = []
        func part(_ numbers: [Int32]) -> Part {
            defer { all += numbers }
            return Part(start: Int32(clamping: all.count), count: Int32(clamping: numbers.count))
        }
        self.words = FixedBuffer(words.map(part))
        self.foldedWords = FixedBuffer(foldedWords.map(part))
        self.marks = marks.mapValues(part)
        self.digits = part(digits)
        self.shapes = FixedBuffer(shapes.map(part))
        numbers = FixedBuffer(all)
    }

    /// The rules of up to three parts, of which some may be empty.
    func parts(at token: Token) -> (Part, Part, Part) {
        switch token.kind {
        case .space: return (Part(), Part(), Part())
        case .mark, .ideograph: return (marks[token.exact] ?? Part(), Part(), Part())
        case .digits, .word:
            return (
                token.kind == .digits ? digits : shapes[Int(token.shape.rawValue)],
                token.exact == Token.unknown ? Part() : words[Int(token.exact - Token.firstWord)],
                token.folded == Token.unknown ? Part() : foldedWords[Int(token.folded - Token.firstWord)]
            )
        }
    }

    /// The number of a part's rule.
    func rule(_ index: Int32, of part: Part) -> Int { Int(numbers[Int(part.start + index)]) }
}
