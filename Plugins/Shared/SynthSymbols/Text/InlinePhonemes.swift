/// Splits text into `[[ … ]]` blocks and the text between them.
package enum InlinePhonemes {
    /// A block, or the text between blocks.
    package struct Part: Equatable {
        package var text: String
        package var isPhonemes: Bool
        /// The part's UTF-8 range in the complete text.
        package var bytes: Range<Int>
        /// The phonemes of a block and the punctuation directly after it, with the spaces that surround the block in the
        /// text. Empty for other parts.
        package var symbols: [Unicode.Scalar] = []

        /// Whether the punctuation after a block ends the sentence.
        package var endsSentence: Bool {
            isPhonemes && symbols.last { $0 != " " }.map { InlinePhonemes.sentenceEnds.contains($0) } == true
        }

        package init(text: String, isPhonemes: Bool, bytes: Range<Int>) {
            self.text = text
            self.isPhonemes = isPhonemes
            self.bytes = bytes
        }
    }

    private static let sentenceEnds: Set<Unicode.Scalar> = [".", "!", "?", "…"]
    private static let marks = sentenceEnds.union([",", ";", ":"])

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
            // espeak-ng would either drop a punctuation mark without a preceding word or say its name.
            let after = rest[close.upperBound...].unicodeScalars.prefix { marks.contains($0) }
            parts[parts.count - 1].symbols = Array(after)
            rest = rest[after.endIndex...]
        }
        append(rest, isPhonemes: false)
        for index in parts.indices where parts[index].isPhonemes {
            // Do not decompose the phonemes, because users write them with the symbols of the voice's map.
            var symbols = Array(parts[index].text.unicodeScalars.dropFirst(2).dropLast(2))
            while symbols.last?.properties.isWhitespace == true { symbols.removeLast() }
            symbols = symbols.drop { $0.properties.isWhitespace } + parts[index].symbols
            let isSpaced = index > 0 && parts[index - 1].text.hasSuffix(" ")
            // The space between two adjacent blocks belongs to the first block, unless that block ends the sentence.
            let isBehindBlock = index > 1 && parts[index - 1].text == " "
            if isSpaced, !isBehindBlock { symbols.insert(" ", at: 0) }
            parts[index].symbols = symbols
            if !parts[index].endsSentence, index + 1 < parts.count, parts[index + 1].text.hasPrefix(" ") {
                symbols.append(" ")
            }
            parts[index].symbols = symbols
        }
        return parts
    }
}
