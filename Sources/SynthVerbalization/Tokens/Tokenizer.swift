/// Splits text into tokens in linear time.
struct Tokenizer {
    private let bytes: [UInt8]
    private var tokens: [Token] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the tokens of the text, with vocabulary numbers for words.
    static func tokens(of bytes: [UInt8], _ vocabulary: TokenNumbers) -> [Token] {
        var tokenizer = Tokenizer(bytes)
        tokenizer.cut()
        tokenizer.number(by: vocabulary)
        return tokenizer.tokens
    }

    /// Returns the tokens of a table entry and adds its words to the vocabulary.
    static func tokens(of bytes: [UInt8], addingTo vocabulary: inout TokenNumbers) -> [Token] {
        var tokenizer = Tokenizer(bytes)
        tokenizer.cut()
        var tokens = tokenizer.tokens
        for index in tokens.indices where tokens[index].isAlphanumeric {
            tokens[index].exact = vocabulary.intern(bytes, tokens[index].range)
            if tokens[index].shape == .lower {
                tokens[index].folded = tokens[index].exact
                continue
            }
            let small = Folding.small(bytes, tokens[index].range)
            tokens[index].folded = vocabulary.intern(small, small.indices)
        }
        return tokens
    }

    /// Replaces hashes with vocabulary numbers.
    private mutating func number(by vocabulary: TokenNumbers) {
        for index in tokens.indices where tokens[index].isAlphanumeric {
            let token = tokens[index]
            let exact = vocabulary.number(of: bytes, token.range, hash: token.exact)
            tokens[index].exact = exact
            if token.shape == .lower {
                tokens[index].folded = exact
            } else if token.isASCII {
                tokens[index].folded = vocabulary.number(ofSmall: bytes, token.range, hash: token.folded)
            } else {
                let small = Folding.small(bytes, token.range)
                tokens[index].folded = vocabulary.number(of: small, small.indices, hash: token.folded)
            }
        }
    }

    /// Splits the text. Words and digits are represented by their hashes until `number` is called.
    private mutating func cut() {
        tokens.reserveCapacity(bytes.count / 2 + 1)
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if (byte | 0x20) &- 0x61 < 26 {
                offset = plainWord(from: offset)
            } else if byte == 0x20, offset + 1 < bytes.count, bytes[offset + 1] < 0x80, bytes[offset + 1] > 0x20 {
                append(.space, offset, offset + 1, Token.space)
                offset += 1
            } else {
                offset = cutOne(at: offset)
            }
        }
    }

    private mutating func cutOne(at start: Int) -> Int {
        let (value, length) = scalar(in: bytes, at: start)
        switch TokenClass.of(value) {
        case .letter: return word(from: start)
        case .digit: return digits(from: start)
        case .space: return spaces(from: start)
        case .ideograph:
            append(.ideograph, start, start + length, value)
            return start + length
        case .mark:
            append(.mark, start, start + length, value)
            return start + length
        }
    }

    private mutating func spaces(from start: Int) -> Int {
        var end = start
        while end < bytes.count {
            let (value, length) = scalar(in: bytes, at: end)
            guard TokenClass.of(value) == .space else { break }
            end += length
        }
        append(.space, start, end, Token.space)
        return end
    }

    private mutating func digits(from start: Int) -> Int {
        var end = start
        var hash = WordHash()
        while end < bytes.count, bytes[end] &- 0x30 < 10 {
            hash.add(bytes[end])
            end += 1
        }
        append(.digits, start, end, hash.value)
        return end
    }

    /// Reads a word of ASCII letters. If the word also contains non-ASCII letters, `word` reads it instead.
    private mutating func plainWord(from start: Int) -> Int {
        var end = start
        var capitals = 0
        var exact = WordHash()
        var small = WordHash()
        while end < bytes.count {
            let byte = bytes[end]
            guard (byte | 0x20) &- 0x61 < 26 else { break }
            if byte < 0x60 { capitals += 1 }
            exact.add(byte)
            small.add(byte | 0x20)
            end += 1
        }
        if end < bytes.count, bytes[end] >= 0x80,
            TokenClass.of(scalar(in: bytes, at: end).value) == .letter
        {
            return word(from: start)
        }
        append(.word, start, end, exact.value)
        tokens[tokens.count - 1].folded = small.value
        setShape(capitals: capitals, of: end - start, beginsWithCapital: bytes[start] < 0x60)
        return end
    }

    private mutating func word(from start: Int) -> Int {
        var end = start
        var letters = 0
        var capitals = 0
        var beginsWithCapital = false
        var exact = WordHash()
        while end < bytes.count {
            let (value, length) = scalar(in: bytes, at: end)
            guard TokenClass.of(value) == .letter else { break }
            if Folding.isCapital(value) {
                capitals += 1
                if letters == 0 { beginsWithCapital = true }
            }
            letters += 1
            for offset in end..<end + length { exact.add(bytes[offset]) }
            end += length
        }
        append(.word, start, end, exact.value)
        if capitals > 0 {
            var small = WordHash()
            for byte in Folding.small(bytes, start..<end) { small.add(byte) }
            tokens[tokens.count - 1].folded = small.value
        }
        tokens[tokens.count - 1].isASCII = false
        setShape(capitals: capitals, of: letters, beginsWithCapital: beginsWithCapital)
        return end
    }

    private mutating func setShape(capitals: Int, of letters: Int, beginsWithCapital: Bool) {
        tokens[tokens.count - 1].isLetter = letters == 1
        guard capitals > 0 else { return }
        tokens[tokens.count - 1].shape =
            capitals == 1 && beginsWithCapital ? .capital : capitals == letters ? .upper : .mixed
    }

    private mutating func append(_ kind: Token.Kind, _ start: Int, _ end: Int, _ number: UInt32) {
        tokens.append(
            Token(kind: kind, start: Int32(clamping: start), end: Int32(clamping: end), exact: number, folded: number))
    }
}
