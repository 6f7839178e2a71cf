/// A word or a punctuation mark between words.
///
/// A word is a run of letters, digits, combining marks and underscores, which may contain apostrophes. In scripts
/// without spaces, each character is a token, so that entries can match anywhere in a sentence.
struct LexiconToken: Equatable {
    /// The text, with curly apostrophes replaced with straight ones.
    let text: String
    let folded: String
    let range: Range<Int>
    let isAfterSpace: Bool

    /// Splits text into tokens. Uses linear time and memory.
    static func tokens(of text: String) -> [LexiconToken] {
        var tokens: [LexiconToken] = []
        var word = String.UnicodeScalarView()
        var start = 0
        var isAfterSpace = false
        var isOpen = false
        var offset = 0
        func end(at offset: Int) {
            guard !word.isEmpty else { return }
            let text = String(word)
            tokens.append(
                .init(text: text, folded: text.lowercased(), range: start..<offset, isAfterSpace: isAfterSpace))
            word.removeAll()
            isAfterSpace = false
        }
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            switch Kind(scalar) {
            case .space:
                end(at: offset)
                isAfterSpace = true
                isOpen = false
            case .word:
                if !isOpen {
                    end(at: offset)
                    start = offset
                }
                word.append(scalar)
                isOpen = true
            case .joiner where !word.isEmpty: word.append(scalar)
            case .apostrophe
            where isOpen && next < scalars.endIndex && Kind(scalars[next]) == .word:
                word.append("'")
            case .apostrophe, .joiner, .single:
                end(at: offset)
                start = offset
                word.append(Kind(scalar) == .apostrophe ? "'" : scalar)
                isOpen = false
            }
            offset += UTF8.width(scalar)
            index = next
        }
        end(at: offset)
        return tokens
    }

    private enum Kind {
        case space
        case word
        /// A combining mark, a zero-width joiner or a zero-width non-joiner.
        case joiner
        case apostrophe
        case single

        init(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: self = .word
            case 0x27, 0x2019: self = .apostrophe
            case 0x09...0x0D, 0x20: self = .space
            case 0x00..<0x80: self = .single
            case 0x200C, 0x200D: self = .joiner
            default: self = Self.other(scalar)
            }
        }

        private static func other(_ scalar: Unicode.Scalar) -> Kind {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: .joiner
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber:
                ScalarClass.isSpaceless(scalar.value) ? .single : .word
            default: scalar.properties.isWhitespace ? .space : .single
            }
        }
    }
}
