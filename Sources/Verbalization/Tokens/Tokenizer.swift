/// Cuts a text into tokens. Linear.
struct Tokenizer {
    private let bytes: [UInt8]
    private var tokens: [Token] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The tokens of a text, with the numbers that the vocabulary has for their words.
    static func tokens(of bytes: [UInt8], _ vocabulary: Vocabulary) -> [Token] {
        var tokens = cut(bytes)
        for index in tokens.indices where tokens[index].isAlphanumeric {
            tokens[index].exact = vocabulary.number(of: bytes, tokens[index].range)
            if tokens[index].shape == .lower {
                tokens[index].folded = tokens[index].exact
            } else {
                let small = Folding.small(bytes, tokens[index].range)
                tokens[index].folded = vocabulary.number(of: small, small.indices)
            }
        }
        return tokens
    }

    /// The tokens of an entry of a table. Its words get numbers.
    static func tokens(of bytes: [UInt8], addingTo vocabulary: inout Vocabulary) -> [Token] {
        var tokens = cut(bytes)
        for index in tokens.indices where tokens[index].isAlphanumeric {
            tokens[index].exact = vocabulary.intern(bytes, tokens[index].range)
            let small = Folding.small(bytes, tokens[index].range)
            tokens[index].folded = vocabulary.intern(small, small.indices)
        }
        return tokens
    }

    private static func cut(_ bytes: [UInt8]) -> [Token] {
        var tokenizer = Tokenizer(bytes)
        tokenizer.tokens.reserveCapacity(bytes.count / 3)
        var offset = 0
        while offset < bytes.count { offset = tokenizer.cutOne(at: offset) }
        return tokenizer.tokens
    }

    private mutating func cutOne(at start: Int) -> Int {
        let (value, length) = scalar(in: bytes, at: start)
        switch ScalarClass.of(value) {
        case .letter: return word(from: start)
        case .digit: return run(.digits, .digit, from: start)
        case .space: return run(.space, .space, from: start)
        case .ideograph:
            append(.ideograph, start, start + length, value)
            return start + length
        case .mark:
            append(.mark, start, start + length, value)
            return start + length
        }
    }

    private mutating func run(_ kind: Token.Kind, _ members: ScalarClass, from start: Int) -> Int {
        var end = start
        while end < bytes.count {
            let (value, length) = scalar(in: bytes, at: end)
            guard ScalarClass.of(value) == members else { break }
            end += length
        }
        append(kind, start, end, kind == .space ? Token.space : Token.unknown)
        return end
    }

    private mutating func word(from start: Int) -> Int {
        var end = start
        var letters = 0
        var capitals = 0
        var beginsWithCapital = false
        while end < bytes.count {
            let (value, length) = scalar(in: bytes, at: end)
            guard ScalarClass.of(value) == .letter else { break }
            if Folding.isCapital(value) {
                capitals += 1
                if letters == 0 { beginsWithCapital = true }
            }
            letters += 1
            end += length
        }
        append(.word, start, end, Token.unknown)
        tokens[tokens.count - 1].shape =
            capitals == 0
            ? .lower
            : capitals == 1 && beginsWithCapital ? .capital : capitals == letters ? .upper : .mixed
        return end
    }

    private mutating func append(_ kind: Token.Kind, _ start: Int, _ end: Int, _ number: UInt32) {
        tokens.append(
            Token(kind: kind, start: Int32(clamping: start), end: Int32(clamping: end), exact: number, folded: number))
    }
}
