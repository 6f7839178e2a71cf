// The standard library's own table. Foundation's takes longer to load than everything else that a reader does.
@_spi(_Unicode) import Swift

/// Words with accents, as English reads them: without.
enum Folding {
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "th", "þ": "th", "ı": "i", "ŋ": "ng",
        "ﬁ": "fi", "ﬂ": "fl",
    ]

    /// The word in letters a to z, capitals kept; `nil` if it has another letter, or a digit.
    static func folded(_ word: String) -> String? {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return word.utf8.contains { (0x30..<0x3A).contains($0) } ? nil : word }
        var result = String.UnicodeScalarView()
        for scalar in String(word)._nfd {
            if scalar.isASCII {
                guard !("0"..."9").contains(scalar) else { return nil }
                result.append(scalar)
            } else if let letters = letters[scalar] {
                result.append(contentsOf: letters.unicodeScalars)
            } else if let letters = letters[scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar] {
                result.append(contentsOf: letters.uppercased().unicodeScalars)
            } else if scalar.properties.generalCategory != .nonspacingMark {
                return nil
            }
        }
        return String(result)
    }
}
