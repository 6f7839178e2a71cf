/// The unit of text that patterns match.
struct Token: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// A run of letters.
        case word
        /// A run of ASCII digits.
        case digits
        /// A run of white space.
        case space
        /// A character of a script without spaces between words.
        case ideograph
        /// Any other character.
        case mark
    }

    /// The capitalization of a word.
    enum Shape: UInt8, BitwiseCopyable, CaseIterable, Sendable {
        case lower
        /// An initial capital or a single capital letter.
        case capital
        /// A word of at least two letters, all of them capitals.
        case upper
        case mixed
    }

    /// A set of shapes.
    struct Shapes: OptionSet, BitwiseCopyable {
        let rawValue: UInt8

        static let lower = Shapes(.lower)
        static let capital = Shapes(.capital)
        static let upper = Shapes(.upper)
        static let mixed = Shapes(.mixed)
        static let all: Shapes = [.lower, .capital, .upper, .mixed]

        init(rawValue: UInt8) { self.rawValue = rawValue }

        private init(_ shape: Shape) { rawValue = 1 << shape.rawValue }

        func contains(_ shape: Shape) -> Bool { rawValue & 1 << shape.rawValue != 0 }
    }

    let kind: Kind
    var shape = Shape.lower
    var isASCII = true
    /// Whether the word is a single letter.
    var isLetter = false
    /// Byte offsets in the text.
    let start: Int32
    let end: Int32
    /// The scalar of a symbol or ideograph, `space`, or the vocabulary's number for a word or digits.
    var exact: UInt32
    /// Like `exact`, but for the word in lowercase.
    var folded: UInt32

    static let space: UInt32 = 0x20
    /// The lowest word number. It is higher than all scalars.
    static let firstWord: UInt32 = 0x11_0000
    /// The number of any word that is not in a table.
    static let unknown = UInt32.max

    /// Whether a token number is the scalar of an ideograph.
    static func isIdeograph(_ number: UInt32) -> Bool {
        number < firstWord && TokenClass.of(number) == .ideograph
    }

    var range: Range<Int> { Int(start)..<Int(end) }
    var length: Int { Int(end - start) }
    /// Whether the token consists of letters or digits, which join with adjacent letters or digits.
    var isAlphanumeric: Bool { kind == .word || kind == .digits }
}

/// The token type of a character.
enum TokenClass {
    case letter, digit, space, ideograph, mark

    static func of(_ scalar: UInt32) -> TokenClass {
        switch scalar {
        case 0x30...0x39: .digit
        case 0x41...0x5A, 0x61...0x7A: .letter
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: .space
        case ..<0xB5: .mark
        case 0xB5, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF: .letter
        case ..<0x300: .mark
        // Combining marks, Greek, Cyrillic and the scripts after them.
        case 0x300...0x37D, 0x37F...0x386, 0x388...0x589: .letter
        case 0x37E, 0x387, 0x58A: .mark
        // Arabic, Syriac and Devanagari punctuation.
        case 0x60C, 0x61B, 0x61F, 0x66A...0x66D, 0x6D4, 0x964, 0x965: .mark
        case ..<0x2000: .letter
        // Punctuation, superscript and subscript digits, currencies, letterlike symbols, arrows, mathematical
        // operators, box drawing.
        case ..<0x2C00: .mark
        case ..<0x2E00: .letter
        case ..<0x3005: .mark
        case 0x3005, 0x3007: .ideograph
        case ..<0x3041: .mark
        case 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: .ideograph
        case 0x3100...0x318F, 0xA000...0xD7FF: .letter
        case ..<0xA000: .mark
        case ..<0xFB00: .mark
        case ..<0xFDFF: .letter
        case ..<0x1_0000: .mark
        case 0x1_F000...0x1_FAFF: .mark
        case 0x2_0000...0x3_FFFF: .ideograph
        case 0xE_0000...: .mark
        default: .letter
        }
    }
}

/// An approximate set of tokens: a token in the set may match, whereas a token outside it cannot. Some symbols share a
/// bit.
struct TokenMask: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt64

    static let textEnd = TokenMask(rawValue: 1)
    static let space = TokenMask(rawValue: 2)
    static let word = TokenMask(rawValue: 4)
    static let digits = TokenMask(rawValue: 8)
    static let ideograph = TokenMask(rawValue: 16)
    static let all = TokenMask(rawValue: .max)
    static let bits = 64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(bit: Int) { rawValue = 1 << UInt64(bit) }

    /// The index of the lowest bit, which is the only bit in a token's mask.
    var bit: Int { min(rawValue.trailingZeroBitCount, Self.bits - 1) }

    static func mark(_ scalar: UInt32) -> TokenMask { TokenMask(rawValue: 32 << UInt64(scalar % 59)) }

    static func of(_ token: Token) -> TokenMask {
        switch token.kind {
        case .word: word
        case .digits: digits
        case .space: space
        case .ideograph: ideograph
        case .mark: mark(token.exact)
        }
    }

    /// Returns the mask for a number from a table: a word or digits, or the scalar of a symbol or ideograph.
    static func of(number: UInt32) -> TokenMask {
        if number >= Token.firstWord { return [word, digits] }
        if number == Token.space { return space }
        return [mark(number), ideograph]
    }
}

/// Immutable trivial values at a fixed address. Accessing them requires no reference counting, which would otherwise
/// dominate the matching time.
final class FixedBuffer<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // Written only by `init`.
    private let storage: UnsafeMutableBufferPointer<Element>

    init(_ elements: some Collection<Element>) {
        storage = .allocate(capacity: elements.count)
        _ = storage.initialize(fromContentsOf: elements)
    }

    deinit { storage.deallocate() }

    var count: Int { storage.count }

    /// Traps if the index is out of bounds.
    subscript(index: Int) -> Element {
        precondition(index >= 0 && index < storage.count)
        return storage[index]
    }
}
