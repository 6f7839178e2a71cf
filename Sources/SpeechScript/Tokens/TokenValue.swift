/// A value inside a token, without white space around it.
struct TokenValue {
    private static let longest = 256

    /// Of the text that the token stands in. If the value is empty, where it would be.
    let range: Range<Int>
    let text: String

    init(_ utf8: [UInt8], _ range: Range<Int>) {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let bytes = utf8[range]
        let start = bytes.firstIndex { !isBlank($0) } ?? range.upperBound
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? range.upperBound
        self.range = start..<end
        text = String(decoding: utf8[start..<end], as: UTF8.self)
    }

    private init(_ text: Substring, from value: TokenValue) {
        let start = value.range.lowerBound + value.text.utf8.distance(from: value.text.startIndex, to: text.startIndex)
        self.init(Array(text.utf8), at: start)
    }

    private init(_ utf8: [UInt8], at offset: Int) {
        let inner = TokenValue(utf8, 0..<utf8.count)
        range = inner.range.lowerBound + offset..<inner.range.upperBound + offset
        text = inner.text
    }

    /// What precedes the first ` key=`, and the keys with their values.
    func settings() -> (name: TokenValue, settings: [(key: TokenValue, value: TokenValue)]) {
        var cuts: [(start: Substring.Index, key: Substring)] = []
        var word: Substring.Index? = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if character == " " || character == "\t" {
                word = text.index(after: index)
            } else if character == "=", let start = word, start < index {
                cuts.append((start, text[start..<index]))
                word = nil
            } else if !(character.isASCII && character.isLetter) {
                word = nil
            }
            index = text.index(after: index)
        }
        let ends = cuts.dropFirst().map(\.start) + [text.endIndex]
        let settings = zip(cuts, ends).map { cut, end in
            (TokenValue(cut.key, from: self), TokenValue(text[text.index(after: cut.key.endIndex)..<end], from: self))
        }
        return (TokenValue(text[..<(cuts.first?.start ?? text.endIndex)], from: self), settings)
    }

    /// The value as a name: not empty, short, without characters that no name holds.
    func name(of what: String) throws(TokenProblem) -> String {
        let isName =
            !text.isEmpty && text.unicodeScalars.count <= Self.longest
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: scalar != "[" && scalar != "]"
                }
            }
        guard isName else { throw unusable(of: what) }
        return text
    }

    func unusable(of what: String) -> TokenProblem {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(80)))
        return TokenProblem(.badValue(of: what, value: start), offset: range.lowerBound)
    }
}
