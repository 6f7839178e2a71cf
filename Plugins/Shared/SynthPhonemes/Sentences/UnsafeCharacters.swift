import SynthSymbols

/// Removes characters that crash libespeak-ng 1.51.
///
/// * In every voice: a hyphen between a silent symbol and a letter of an alphabet that the voice cannot read ("❥-नम").
/// * In the Hindi voice: a symbol with a spoken name next to a symbol without a spoken name ("($5)", "**नम**").
package enum UnsafeCharacters {
    private static let hindiWords: Set<Unicode.Scalar> = ["$", "%", "*", "+", "=", "^"]

    /// Returns the text with each unsafe character replaced by a space. All other bytes keep their positions.
    ///
    /// - Parameter voice: The library's name for the voice, such as `hi`, `inc/hi` or `inc/hi+f3`.
    package static func removed(from utf8: [UInt8], voice: String) -> [UInt8] {
        let isHindi = voice.prefix { $0 != "+" }.split(separator: "/").last == "hi"
        guard isHindi || !utf8.allSatisfy({ $0 < 0x80 }) else { return utf8 }
        var result = utf8
        var before: Unicode.Scalar = " "
        // A candidate for removal. A hyphen is removed only before a non-ASCII letter.
        var pending: (place: Int, isHyphen: Bool)?
        func decide(_ next: Unicode.Scalar) {
            guard let sign = pending else { return }
            let isUnsafe =
                sign.isHyphen ? !next.isASCII && next.properties.isAlphabetic : !isSpoken(next) && !isSpace(next)
            if isUnsafe { result[sign.place] = UInt8(ascii: " ") }
            pending = nil
        }
        TextWords.forEachScalar(in: utf8, utf8.indices) { scalar, place in
            decide(scalar)
            let isBehindSign = !isSpoken(before) && !isSpace(before)
            if scalar == "-", isBehindSign {
                pending = (place.lowerBound, true)
            } else if isHindi, hindiWords.contains(scalar) {
                if isBehindSign { result[place.lowerBound] = UInt8(ascii: " ") }
                if isSpace(before) { pending = (place.lowerBound, false) }
            }
            before = scalar
        }
        return result
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    private static func isSpoken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: false
        }
    }
}
