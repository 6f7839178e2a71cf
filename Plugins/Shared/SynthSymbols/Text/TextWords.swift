/// Finds the words in a text: the parts between white space, without adjacent punctuation.
package enum TextWords {
    /// Marks that are silent at the edge of a word, unlike `%` and `€`.
    private static let silent: Set<Unicode.Scalar> = [
        ".", ",", ";", ":", "!", "?", "…", "\"", "'", "`", "(", ")", "[", "]", "{", "}", "<", ">", "«", "»", "‹", "›",
        "“",
        "”", "„", "‘", "’", "‚", "-", "–", "—", "¿", "¡", "。", "、", "，", "！", "？", "；", "：", "「", "」", "*", "_", "|",
        "।", "॥",
    ]

    /// Returns the words that start in `range`, as ranges of `utf8`, which contains the complete text.
    package static func places(in utf8: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var word: Range<Int>?
        func finish() {
            if let found = word { places.append(found) }
            word = nil
        }
        forEachScalar(in: utf8, range) { scalar, place in
            if scalar.properties.isWhitespace {
                finish()
            } else if !silent.contains(scalar) {
                word = (word?.lowerBound ?? place.lowerBound)..<place.upperBound
            }
        }
        finish()
        return places
    }

    package static func forEachScalar(
        in utf8: [UInt8], _ range: Range<Int>, _ body: (Unicode.Scalar, Range<Int>) -> Void
    ) {
        var position = range.lowerBound
        for scalar in String(decoding: utf8[range], as: UTF8.self).unicodeScalars {
            let end = position + UTF8.width(scalar)
            body(scalar, position..<end)
            position = end
        }
    }
}

/// A word in the text, and the symbols for its pronunciation.
package struct PhonemeWord: Equatable, Sendable {
    /// The range in the sentence's `scalars`.
    package var symbols: Range<Int>
    /// The word's UTF-8 range in the text, without adjacent punctuation.
    package var bytes: Range<Int>

    package init(symbols: Range<Int>, bytes: Range<Int>) {
        self.symbols = symbols
        self.bytes = bytes
    }
}
