/// The role of a Unicode scalar in sentence segmentation.
package enum ScalarClass: Sendable {
    case ordinary
    case space
    case lineBreak
    case paragraphBreak
    /// A period. The surrounding words determine whether it ends a sentence or belongs to an abbreviation.
    case period
    case ellipsis
    /// Ends a sentence if followed by white space.
    case strong
    /// Ends a sentence even without white space after it.
    case wide
    /// Ends a clause if followed by white space.
    case clause
    /// Ends a clause even without white space after it.
    case wideClause
    case dash
    /// A closing quotation mark if it directly follows the end of the sentence, otherwise an opening quotation mark.
    case quote
    /// A quotation mark that, in scripts without spaces between sentences, is usually an opening quotation mark.
    case turnedQuote
    case leftGuillemet
    case rightGuillemet
    case opener
    case closer

    static func of(_ scalar: UInt32) -> ScalarClass {
        if scalar < 0x80 { return ofASCII(UInt8(truncatingIfNeeded: scalar)) }
        if scalar < 0x2000 { return ofAlphabet(scalar) }
        if scalar < 0x3000 { return ofPunctuation(scalar) }
        return ofEastAsia(scalar)
    }

    /// Whether the scalar combines with the preceding one, like an accent, a variation selector or a joiner.
    package static func isExtender(_ value: UInt32) -> Bool {
        guard value >= 0x300, let scalar = Unicode.Scalar(value) else { return false }
        if value == 0x200D || (0x1F3FB...0x1F3FF).contains(value) { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: return true
        default: return false
        }
    }

    /// Whether the scalar only controls line breaking or letter joining.
    static func isInvisible(_ value: UInt32) -> Bool {
        value == 0xAD || (0x200B...0x200F).contains(value) || (0x2060...0x2064).contains(value)
    }

    static func isLowercase(_ value: UInt32) -> Bool {
        if value < 0x80 { return value >= 0x61 && value <= 0x7A }
        return Unicode.Scalar(value)?.properties.isLowercase ?? false
    }

    /// Whether the scalar belongs to a script that is written without spaces between words.
    static func isSpaceless(_ value: UInt32) -> Bool {
        (0x2E80..<0xD800).contains(value) && !(0xA000..<0xAC00).contains(value) || (0xFF66..<0xFFE0).contains(value)
            || (0x20000..<0x32000).contains(value)
    }

    private static func ofASCII(_ byte: UInt8) -> ScalarClass {
        switch byte {
        case UInt8(ascii: " "): .space
        case ControlFilter.lineBreak: .lineBreak
        case ControlFilter.paragraphBreak: .paragraphBreak
        case UInt8(ascii: "."): .period
        case UInt8(ascii: "?"), UInt8(ascii: "!"): .strong
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"): .clause
        case UInt8(ascii: "-"): .dash
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "`"): .quote
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): .opener
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): .closer
        default: .ordinary
        }
    }

    private static func ofAlphabet(_ scalar: UInt32) -> ScalarClass {
        switch scalar {
        case 0xA0, 0x1680: .space
        case 0xA1, 0xBF: .opener
        case 0xAB: .leftGuillemet
        case 0xBB: .rightGuillemet
        case 0x37E, 0x589, 0x61F: .strong  // Greek question mark, Armenian full stop, Arabic question mark
        case 0x6D4: .wide  // Urdu full stop
        case 0x60C, 0x61B: .wideClause  // Arabic comma and semicolon
        case 0x964, 0x965: .wide  // danda, double danda
        case 0x104B: .wide  // Myanmar section
        case 0x1362, 0x1367, 0x1368: .wide  // Ethiopic full stop, question mark, paragraph separator
        case 0x1363...0x1366: .wideClause  // Ethiopic comma, semicolon, colon, preface colon
        case 0x17D4, 0x17D5: .wide  // Khmer khan, bariyoosan
        case 0x1803, 0x1809: .wide  // Mongolian full stops
        default: .ordinary
        }
    }

    private static func ofPunctuation(_ scalar: UInt32) -> ScalarClass {
        switch scalar {
        case 0x2000...0x200A, 0x202F, 0x205F: .space
        case 0x2012...0x2015: .dash
        case 0x2018, 0x201C: .turnedQuote
        case 0x2019, 0x201D: .quote
        case 0x201A, 0x201B, 0x201E, 0x201F: .opener
        case 0x2026, 0x22EF: .ellipsis
        case 0x2039: .leftGuillemet
        case 0x203A: .rightGuillemet
        case 0x203C, 0x203D, 0x2047...0x2049, 0x2E2E: .strong  // double marks, interrobang, reversed question mark
        default: .ordinary
        }
    }

    private static func ofEastAsia(_ scalar: UInt32) -> ScalarClass {
        switch scalar {
        case 0x3000: .space
        case 0x3001, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF64: .wideClause
        case 0x3002, 0xFF01, 0xFF1F, 0xFF61: .wide
        case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D: .opener
        case 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301E, 0x301F: .closer
        case 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F, 0xFF62: .opener
        case 0xFF09, 0xFF3D, 0xFF5D, 0xFF60, 0xFF63: .closer
        case 0xFF0E: .strong  // fullwidth full stop, which also occurs between digits
        case 0xFF02, 0xFF07: .quote
        default: .ordinary
        }
    }
}
