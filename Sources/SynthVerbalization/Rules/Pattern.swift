/// A compiled pattern: the index of its first step in the language's program.
struct Pattern: Sendable {
    let start: Int

    /// The tokens at which a match may start.
    struct First {
        /// Token numbers, possibly with duplicates.
        var exact: [UInt32] = []
        var folded: [UInt32] = []
        /// The lists whose entries may start a match.
        var lists: [Int] = []
        var digits = false
        /// Words with these shapes.
        var shapes: Token.Shapes = []
        /// Single letters with these shapes.
        var letters: Token.Shapes = []
    }

    /// - Parameter decimalMark: the decimal separator, with which a number without an integer part starts.
    func first(_ program: [Step], decimalMark: UInt32) -> First {
        var first = First()
        var open = [start]
        var seen: [Int] = []
        while let index = open.popLast() {
            guard index < program.count, !seen.contains(index) else { continue }
            seen.append(index)
            switch program[index] {
            case .exact(let number): first.exact.append(number)
            case .folded(let number): first.folded.append(number)
            case .digits: first.digits = true
            case .number(let shape):
                first.digits = true
                if shape != .integer { first.exact.append(decimalMark) }
            case .list(let list): first.lists.append(list)
            case .word(let shape):
                if shape.isLetter {
                    first.letters.formUnion(shape.shapes)
                } else {
                    first.shapes.formUnion(shape.shapes)
                }
            case .ending: first.shapes.formUnion(.all)
            case .special(let shape):
                switch shape {
                case .address, .mail, .code, .file, .serial:
                    first.shapes.formUnion(.all)
                    first.digits = true
                case .identifier:
                    first.shapes.formUnion(.all)
                    first.exact.append(0x5F)
                case .formula, .model: first.shapes.formUnion([.capital, .upper, .mixed])
                case .camel: first.shapes.insert(.mixed)
                case .path:
                    first.exact += [0x2F, 0x7E, 0x2E]
                    first.shapes.formUnion(.all)
                case .flag: first.exact.append(0x2D)
                case .tag: first.exact.append(0x23)
                case .handle: first.exact.append(0x40)
                case .raised: first.exact += RaisedDigits.scalars
                }
            case .optionalSpace:
                first.exact.append(Token.space)
                open.append(index + 1)
            case .space: first.exact.append(Token.space)
            case .textStart, .textEnd, .open, .close: open.append(index + 1)
            case .split(let other): open += [other, index + 1]
            case .jump(let target): open.append(target)
            case .end: break
            }
        }
        return first
    }
}

/// A step in a pattern.
enum Step: BitwiseCopyable, Sendable {
    /// A word (case-sensitive), digits, a symbol or an ideograph.
    case exact(UInt32)
    /// A word (case-insensitive).
    case folded(UInt32)
    case space
    case optionalSpace
    /// Digits whose count and value are within these limits.
    case digits(lengths: (least: Int32, most: Int32), values: (least: Int64, most: Int64))
    case number(NumberShape)
    /// The longest matching list entry. If the remaining pattern does not match after it, shorter entries are tried.
    case list(Int)
    case word(WordShape)
    case ending(WordEnding)
    case special(SpecialShape)
    case textStart
    case textEnd
    case open(slot: Int)
    case close(slot: Int)
    /// Tries the next step first, then the step at `other`.
    case split(other: Int)
    case jump(Int)
    case end
}

/// The required notation of a number.
enum NumberShape: BitwiseCopyable, Sendable {
    /// A number without a fraction or leading zeros; "0" itself is allowed.
    case integer
    /// A number with a fraction.
    case decimal
    case either
}

/// The required shape of a word.
enum WordShape: String, BitwiseCopyable, Sendable {
    case any = "word"
    case lower
    case capital = "Cap"
    case upper = "UP"
    /// A single letter.
    case letter
    /// A single capital letter.
    case initial
    /// A Roman numeral in capitals, except a single "I", "C", "D", "L" or "M", which is usually a letter: "Part C".
    case roman
    case anyRoman = "anyroman"
    /// A Roman numeral with at least four capitals and a value from 1000 to 2099, which is treated as a year.
    case romanYear = "romanyear"
    /// Two to five Latin capitals without a vowel, optionally followed by a lowercase s.
    case unspeakable
}

extension WordShape {
    var isLetter: Bool { self == .letter || self == .initial }

    /// The matching token shapes.
    var shapes: Token.Shapes {
        switch self {
        case .any: .all
        case .lower: .lower
        case .capital: .capital
        case .upper: .upper
        case .unspeakable: [.upper, .mixed]
        case .letter: [.lower, .capital]
        case .initial: .capital
        case .romanYear: .upper
        case .roman, .anyRoman: [.capital, .upper]
        }
    }
}

/// A word ending of at most eight bytes. It matches only words that are longer than the ending.
struct WordEnding: BitwiseCopyable, Sendable {
    private let letters: UInt64
    private let count: Int

    /// Returns nil if the ending is empty or too long.
    init?(_ letters: some StringProtocol) {
        count = letters.utf8.count
        guard (1...8).contains(count) else { return nil }
        self.letters = letters.utf8.reduce(0) { $0 << 8 | UInt64($1) }
    }

    func matches(_ bytes: [UInt8], _ word: Range<Int>) -> Bool {
        guard word.count > count else { return false }
        var found: UInt64 = 0
        for index in word.suffix(count) { found = found << 8 | UInt64(bytes[index]) }
        return found == letters
    }
}

/// Kinds of token sequences that are too irregular for patterns.
enum SpecialShape: String, BitwiseCopyable, Sendable {
    /// A URL.
    case address = "url"
    case mail = "email"
    case path
    /// "#word"
    case tag
    /// "@name"
    case handle
    /// A chemical formula with subscript digits.
    case formula
    /// A run of superscript digits.
    case raised
    /// Letters and digits without a separator: "B12".
    case code
    /// Letters and digits with hyphens: "F-16", "R2-D2".
    case model
    /// A file name whose extension is in the list `file-type`.
    case file
    /// "max_count", "size=10"
    case identifier
    /// "userName"
    case camel
    /// "--dry-run", "-v"
    case flag
    /// Identifiers that are read character by character: a MAC address, a UUID, an IBAN, a long hexadecimal number.
    case serial
}

extension SpecialShape {
    /// The possible second tokens.
    var second: TokenMask {
        switch self {
        case .address: [.mark(0x2E), .mark(0x3A), .mark(0x2D), .mark(0x2F), .digits]
        case .mail: [.mark(0x2E), .mark(0x40), .mark(0x2D), .mark(0x5F), .mark(0x2B), .mark(0x25), .digits, .word]
        case .tag, .handle: .word
        case .path: [.mark(0x2F), .mark(0x2E), .mark(0x3A), .mark(0x2D), .mark(0x5F), .word, .digits]
        case .code: [.word, .digits]
        case .serial: [.word, .digits, .mark(0x3A), .mark(0x2D)]
        case .model: [.mark(0x2D), .digits]
        case .file: [.mark(0x2E), .mark(0x2D), .mark(0x5F), .word, .digits]
        case .identifier: [.mark(0x5F), .mark(0x3D), .word, .digits]
        case .flag: [.mark(0x2D), .word]
        case .camel: .all
        case .formula, .raised: .all
        }
    }
}
