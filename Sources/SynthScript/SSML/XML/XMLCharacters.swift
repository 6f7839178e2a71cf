import SynthSystem

/// The characters that XML 1.0 (fifth edition, sections 2.2 and 2.3) allows.
enum XMLCharacters {
    /// Ranges of `NameStartChar` above ASCII.
    private static let nameStarts: [ClosedRange<UInt32>] = [
        0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
        0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF,
    ]
    /// Ranges of `NameChar` above ASCII that are not in `NameStartChar`.
    private static let nameParts: [ClosedRange<UInt32>] = [0xB7...0xB7, 0x300...0x36F, 0x203F...0x2040]

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }

    /// Whether a document may contain the character, either literally or as a character reference.
    static func isAllowed(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    static func startsName(_ value: UInt32) -> Bool {
        if value < 0x80 {
            let letter = value | 0x20
            return letter >= 0x61 && letter <= 0x7A || value == 0x5F || value == 0x3A
        }
        return nameStarts.contains { $0.contains(value) }
    }

    static func continuesName(_ value: UInt32) -> Bool {
        if startsName(value) { return true }
        if value < 0x80 { return value >= 0x30 && value <= 0x39 || value == 0x2D || value == 0x2E }
        return nameParts.contains { $0.contains(value) }
    }

    /// Validates the encoding and all characters of a document.
    static func check(_ document: Span<UInt8>) throws(ScriptError) {
        try ScriptDocument.checkEncoding(document)
        for index in 0..<document.count {
            let byte = document[index]
            // U+FFFE and U+FFFF are the only remaining characters that are valid in UTF-8 but not in XML.
            let isNoCharacter =
                byte >= 0xBE && index >= 2 && document[index - 1] == 0xBF && document[index - 2] == 0xEF
            guard byte < 0x20 && !isSpace(byte) || isNoCharacter else { continue }
            let start = isNoCharacter ? index - 2 : index
            let (value, _) = UTF8Cursor.scalar(at: start, in: document)
            throw ScriptError(.unexpected(code(of: value)), at: ScriptPosition(of: start, in: document))
        }
    }

    /// Returns the code of an unprintable character, such as "U+0000".
    private static func code(of value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// The supported document encodings: UTF-8, and legacy single-byte encodings for Western Europe.
package enum XMLEncoding {
    private static let western: Set<String> = [
        "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "windows-1252", "cp1252",
    ]
    private static let withEuro: Set<String> = ["iso-8859-15", "iso8859-15", "latin-9", "latin9"]
    /// The number of bytes to search for a declaration. Real-world declarations are shorter.
    private static let longestDeclaration = 256

    /// Whether a declaration may specify this encoding. The text has already been converted to UTF-8.
    static func isKnown(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["utf-8", "utf8", "us-ascii", "ascii", "utf-16"].contains(name) || western.contains(name)
            || withEuro.contains(name)
    }

    /// Converts a document to UTF-8 if its declaration specifies a different encoding and the content is not valid
    /// UTF-8. Otherwise returns it unchanged. The source ranges of an SSML script refer to the result.
    package static func decoded(_ document: [UInt8]) -> [UInt8] {
        guard String(validating: document, as: UTF8.self) == nil, let name = declared(document) else { return document }
        let hasEuro = withEuro.contains(name)
        guard hasEuro || western.contains(name) else { return document }
        var text: [UInt8] = []
        text.reserveCapacity(document.count + document.count / 8)
        for byte in document {
            let value = hasEuro ? euro[byte] ?? UInt32(byte) : windows(byte)
            text += Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
        }
        return text
    }

    /// Returns the value of `encoding="…"` in lowercase.
    private static func declared(_ document: [UInt8]) -> String? {
        guard document.starts(with: "<?xml".utf8) else { return nil }
        let head = String(decoding: document.prefix(longestDeclaration).prefix { $0 != 0x3E }, as: UTF8.self)
        let parts = head.split(whereSeparator: { $0 == " " || $0 == "=" || $0 == "\"" || $0 == "'" || $0.isNewline })
        guard let position = parts.firstIndex(of: "encoding"), position + 1 < parts.count else { return nil }
        return parts[position + 1].lowercased()
    }

    /// The differences between ISO 8859-15 and ISO 8859-1.
    private static let euro: [UInt8: UInt32] = [
        0xA4: 0x20AC, 0xA6: 0x160, 0xA8: 0x161, 0xB4: 0x17D, 0xB8: 0x17E, 0xBC: 0x152, 0xBD: 0x153, 0xBE: 0x178,
    ]

    /// Converts a byte from Windows-1252, which differs from ISO 8859-1 only in 0x80 to 0x9F. Documents that declare
    /// ISO 8859-1 often use the letters and punctuation marks in this range.
    private static func windows(_ byte: UInt8) -> UInt32 {
        guard (0x80...0x9F).contains(byte) else { return UInt32(byte) }
        let marks: [UInt32] = [
            0x20AC, 0x20, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x20,
            0x17D, 0x20, 0x20, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A,
            0x153, 0x20, 0x17E, 0x178,
        ]
        return marks[Int(byte) - 0x80]
    }
}
