import CXML

/// Markup with its encoding, in which each sign of markup is a byte of ASCII. libxml2 gets it from here, and does not find out by itself:
/// a text that changes its encoding midway could hide from `TagScan` what is in it.
struct EncodedMarkup {
    var bytes: [UInt8]
    /// As libxml2 calls it.
    let name: String

    /// By its first bytes; else UTF-8 if it is that, or says so; else what it says, or what browsers take.
    init(_ bytes: [UInt8]) {
        if let text = Self.wide(bytes) {
            (self.bytes, name) = (text, "UTF-8")
        } else if String(validating: bytes, as: UTF8.self) != nil {
            (self.bytes, name) = (bytes, "UTF-8")
        } else {
            let said = Self.declared(in: bytes)
            let isUTF8 = said == "utf-8" || said == "utf8"
            self.bytes = isUTF8 ? Array(String(decoding: bytes, as: UTF8.self).utf8) : bytes
            name = isUTF8 ? "UTF-8" : said.flatMap { Self.isKnown($0) ? $0 : nil } ?? "windows-1252"
        }
    }

    /// A text in UTF-16 as UTF-8; nil = it is not in UTF-16.
    private static func wide(_ bytes: [UInt8]) -> [UInt8]? {
        let isSmallFirst = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0x3C, 0])
        guard isSmallFirst || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0x3C]) else { return nil }
        let (high, low) = isSmallFirst ? (1, 0) : (0, 1)
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { (place: Int) -> UInt16 in
            UInt16(bytes[place + high]) << 8 | UInt16(bytes[place + low])
        }
        return Array(String(decoding: units.first == 0xFEFF ? units[1...] : units[...], as: UTF16.self).utf8)
    }

    /// What follows `charset=` or `encoding=` near the beginning, in lower case.
    private static func declared(in bytes: [UInt8]) -> String? {
        let beginning = String(decoding: bytes.prefix(4096), as: UTF8.self).lowercased()
        let found = ["charset", "encoding"].compactMap { beginning.firstRange(of: $0)?.upperBound }.min()
        guard let found else { return nil }
        let rest = beginning[found...].drop { $0.isWhitespace }
        guard rest.first == "=" else { return nil }
        let label = rest.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
            .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_:".contains($0)) }
        return label.isEmpty ? nil : String(label)
    }

    /// Whether it is one in which ASCII is ASCII, and libxml2 reads it.
    private static func isKnown(_ label: String) -> Bool {
        guard ofASCII.contains(where: label.hasPrefix), let handler = xmlFindCharEncodingHandler(label) else {
            return false
        }
        xmlCharEncCloseFunc(handler)
        return true
    }

    /// The beginnings of their names.
    private static let ofASCII = [
        "iso-8859", "iso8859", "latin", "windows-", "cp125", "koi8", "macintosh", "shift_jis", "shift-jis", "sjis",
        "euc-", "big5", "gb2312", "gbk", "gb18030", "tis-620",
    ]
}
