import SynthRecognizerParts

/// Makes tokens of text, for what is told to the model before it listens.
///
/// Byte pairs are joined as GPT-2 does it. A joined pair's id tells when it was learned, so the list of pairs is not needed.
struct TokenEncoder {
    private let table: TokenTable

    init(_ table: TokenTable) { self.table = table }

    /// Bytes that the model has no token for are left out.
    func tokens(of text: String) -> [Int] {
        Self.words(of: text).flatMap { tokens(ofWord: Array($0.utf8)) }
    }

    /// Longer ones are cut: joining takes the square of the length.
    private static let longestWord = 64

    private func tokens(ofWord bytes: [UInt8]) -> [Int] {
        if let id = table.id(bytes) { return [id] }
        return stride(from: 0, to: bytes.count, by: Self.longestWord).flatMap { start in
            let part = bytes[start..<min(bytes.count, start + Self.longestWord)]
            return pairedTokens(part.map { [$0] }, id: table.id).compactMap(\.self)
        }
    }

    private enum Kind {
        case letters, digits, space, others

        init(_ scalar: Unicode.Scalar) {
            let properties = scalar.properties
            if properties.isWhitespace {
                self = .space
            } else {
                switch properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
                    self = .letters
                case .decimalNumber, .letterNumber, .otherNumber: self = .digits
                default: self = .others
                }
            }
        }
    }

    private static let endings = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"].map { Array($0.unicodeScalars) }

    /// The pieces in which pairs are joined: endings as `'s`, and runs of letters, of digits, of others, each with one space
    /// before it.
    static func words(of text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        var words: [String] = []
        var place = 0
        func add(_ end: Int) {
            words.append(String(String.UnicodeScalarView(scalars[place..<end])))
            place = end
        }
        while place < scalars.count {
            if let ending = endings.first(where: { scalars[place...].starts(with: $0) }) {
                add(place + ending.count)
                continue
            }
            var start = place
            if scalars[place] == " ", place + 1 < scalars.count, Kind(scalars[place + 1]) != .space { start += 1 }
            let kind = Kind(scalars[start])
            var end = start + 1
            while end < scalars.count, Kind(scalars[end]) == kind { end += 1 }
            // The last space of several belongs to the word after it.
            if kind == .space, end < scalars.count, end - place > 1 { end -= 1 }
            add(end)
        }
        return words
    }
}
