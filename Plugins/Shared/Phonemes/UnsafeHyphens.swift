/// Hyphens that libespeak-ng 1.51 does not survive: between a sign that it does not speak and a letter of an alphabet
/// that its voice does not read ("❥-नम").
enum UnsafeHyphens {
    /// The same text with a space in place of such a hyphen, and every other byte in its place.
    static func removed(_ utf8: [UInt8]) -> [UInt8] {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return utf8 }
        var result = utf8
        var before: Unicode.Scalar = " "
        var hyphen: Int?
        TextWords.forEachScalar(in: utf8, utf8.indices) { scalar, place in
            if let hyphen, !scalar.isASCII, scalar.properties.isAlphabetic { result[hyphen] = UInt8(ascii: " ") }
            hyphen = scalar == "-" && !isSpoken(before) ? place.lowerBound : nil
            before = scalar
        }
        return result
    }

    private static func isSpoken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: scalar.properties.isWhitespace
        }
    }
}
