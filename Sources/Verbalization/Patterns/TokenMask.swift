/// A set of tokens, coarsely: what is in it may match, what is not cannot. A few marks share a bit.
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

    /// The lowest bit, by its number: the only one of a token's mask.
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

    /// What a number of a table stands for: a word or digits, the scalar of a mark or of an ideograph.
    static func of(number: UInt32) -> TokenMask {
        if number >= Token.firstWord { return [word, digits] }
        if number == Token.space { return space }
        return [mark(number), ideograph]
    }
}
