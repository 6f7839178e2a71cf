/// The blocks `[[ … ]]` of a text, and what stands between them.
package enum InlinePhonemes {
    package struct Part: Equatable {
        package var text: String
        package var isPhonemes: Bool
        /// In the UTF-8 of the whole text.
        package var bytes: Range<Int>
        /// Of a block: its phonemes, with a space where the text around it has one.
        package var symbols: [Unicode.Scalar] = []

        package init(text: String, isPhonemes: Bool, bytes: Range<Int>) {
            self.text = text
            self.isPhonemes = isPhonemes
            self.bytes = bytes
        }
    }

    package static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
        func append(_ piece: Substring, isPhonemes: Bool) {
            guard !piece.isEmpty else { return }
            parts.append(
                Part(
                    text: String(piece), isPhonemes: isPhonemes,
                    bytes: offset(piece.startIndex)..<offset(piece.endIndex)))
        }
        while let open = rest.firstRange(of: "[["), let close = rest[open.upperBound...].firstRange(of: "]]") {
            append(rest[..<open.lowerBound], isPhonemes: false)
            append(rest[open.lowerBound..<close.upperBound], isPhonemes: true)
            rest = rest[close.upperBound...]
        }
        append(rest, isPhonemes: false)
        for index in parts.indices where parts[index].isPhonemes {
            // As written, not decomposed: who writes phonemes writes the symbols of the voice's map.
            var symbols = Array(parts[index].text.unicodeScalars.dropFirst(2).dropLast(2))
            while symbols.last?.properties.isWhitespace == true { symbols.removeLast() }
            symbols = Array(symbols.drop { $0.properties.isWhitespace })
            if index > 0, parts[index - 1].text.hasSuffix(" ") { symbols.insert(" ", at: 0) }
            if index + 1 < parts.count, parts[index + 1].text.hasPrefix(" ") { symbols.append(" ") }
            parts[index].symbols = symbols
        }
        return parts
    }
}
