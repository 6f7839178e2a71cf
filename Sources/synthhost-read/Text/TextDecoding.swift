import Glibc

/// Converts a document to UTF-8. Invalid bytes are replaced with U+FFFD.
enum TextDecoding {
    /// Returns UTF-8 without a byte order mark. The encoding is, in order of precedence: the one indicated by a byte
    /// order mark; UTF-8 if all bytes are valid; the declared encoding; UTF-8 if most sequences are valid; and
    /// windows-1252, as in browsers.
    ///
    /// - Parameters:
    ///   - isXML: whether the document is XML. If so, and if it declares no encoding, it is decoded as UTF-8 unless it
    ///     contains no valid non-ASCII sequence.
    ///   - declared: returns the encodings that the document declares, with the most reliable first.
    static func utf8(_ bytes: [UInt8], isXML: Bool = false, declared: () -> [String] = { [] }) -> [UInt8] {
        if let text = wide(bytes) { return text }
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let bytes = isMarked ? Array(bytes.dropFirst(3)) : bytes
        if String(validating: bytes, as: UTF8.self) != nil {
            // Encodings that switch character sets with escape sequences use only ASCII bytes.
            guard !isMarked, bytes.contains(0x1B), let label = declared().first, label.hasPrefix("iso-2022-") else {
                return bytes
            }
            return converted(bytes, from: label) ?? bytes
        }
        if isMarked { return repaired(bytes) }
        for label in declared() { if let text = converted(bytes, from: label) { return text } }
        let (valid, invalid) = sequences(bytes)
        return (isXML ? valid > 0 : valid >= 3 * invalid) ? repaired(bytes) : windows1252(bytes)
    }

    /// Converts UTF-16 that starts with a byte order mark or `<`. Returns nil if the bytes are not UTF-16.
    private static func wide(_ bytes: [UInt8]) -> [UInt8]? {
        let isSmallFirst = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0x3C, 0])
        guard isSmallFirst || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0x3C]) else { return nil }
        let (high, low) = isSmallFirst ? (1, 0) : (0, 1)
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { (place: Int) -> UInt16 in
            UInt16(bytes[place + high]) << 8 | UInt16(bytes[place + low])
        }
        return Array(String(decoding: units.first == 0xFEFF ? units[1...] : units[...], as: UTF16.self).utf8)
    }

    private static func repaired(_ bytes: [UInt8]) -> [UInt8] { Array(String(decoding: bytes, as: UTF8.self).utf8) }

    /// Returns the number of bytes in non-ASCII UTF-8 sequences, and the number of invalid positions. In windows-1252
    /// text, valid UTF-8 sequences such as "É”" rarely occur by chance.
    private static func sequences(_ bytes: [UInt8]) -> (valid: Int, invalid: Int) {
        var (valid, invalid) = (0, 0)
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): if scalar.count > 1 { valid += scalar.count }
            case .error: invalid += 1
            case .emptyInput: return (valid, invalid)
            }
        }
    }

    // MARK: - Windows-1252

    /// Converts windows-1252 with a custom table, because the C library fails for five of the bytes.
    private static func windows1252(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 4)
        for byte in bytes { if byte < 0x80 { text.append(byte) } else { text += upperHalf[Int(byte) - 0x80] } }
        return text
    }

    private static let upperHalf = (0x80...0xFF).map { (byte: UInt8) in
        Array(String(unlikeLatin1[byte] ?? Character(Unicode.Scalar(byte))).utf8)
    }

    private static let unlikeLatin1: [UInt8: Character] = [
        0x80: "€", 0x82: "‚", 0x83: "ƒ", 0x84: "„", 0x85: "…", 0x86: "†", 0x87: "‡", 0x88: "ˆ", 0x89: "‰", 0x8A: "Š",
        0x8B: "‹", 0x8C: "Œ", 0x8E: "Ž", 0x91: "‘", 0x92: "’", 0x93: "“", 0x94: "”", 0x95: "•", 0x96: "–", 0x97: "—",
        0x98: "˜", 0x99: "™", 0x9A: "š", 0x9B: "›", 0x9C: "œ", 0x9E: "ž", 0x9F: "Ÿ",
    ]

    // MARK: - Declared encodings

    /// Returns nil if the encoding is unknown, or if it encodes markup characters differently from ASCII. In the second
    /// case, the declaration must be incorrect.
    private static func converted(_ bytes: [UInt8], from label: String) -> [UInt8]? {
        let plain = label.hasPrefix("x-") ? String(label.dropFirst(2)) : label
        if plain.hasPrefix("utf") || plain.hasPrefix("unicode") { return repaired(bytes) }
        let name = names[plain] ?? plain
        if name == "windows-1252" { return windows1252(bytes) }
        guard let converter = Converter(name), converter.utf8(markup) == markup else { return nil }
        return converter.utf8(bytes)
    }

    private static let markup = Array("<meta a=\"b\" c='d'/>&#123; +A-Z_;!?[]:.,%09".utf8)

    /// Labels that the WHATWG Encoding Standard maps to a superset or that the C library does not know.
    private static let names: [String: String] = [
        "ascii": "windows-1252", "us-ascii": "windows-1252", "cp1252": "windows-1252", "latin1": "windows-1252",
        "latin-1": "windows-1252", "l1": "windows-1252", "iso-8859-1": "windows-1252", "iso8859-1": "windows-1252",
        "iso_8859-1": "windows-1252", "iso88591": "windows-1252", "iso-8859-9": "windows-1254",
        "latin5": "windows-1254",
        "iso-8859-8-i": "iso-8859-8", "iso-8859-11": "cp874", "tis-620": "cp874", "dos-874": "cp874",
        "gb2312": "gb18030", "gbk": "gb18030", "gb_2312-80": "gb18030", "chinese": "gb18030", "big5": "big5-hkscs",
        "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "ms_kanji": "cp932", "euc-kr": "cp949",
        "ks_c_5601-1987": "cp949", "ks_c_5601-1989": "cp949", "ksc5601": "cp949", "ksc_5601": "cp949",
        "korean": "cp949", "windows-949": "cp949", "mac-roman": "macintosh", "koi": "koi8-r", "koi8": "koi8-r",
    ]
}

/// Converts text to UTF-8 with the C library's `iconv`.
private struct Converter: ~Copyable {
    private let handle: iconv_t

    /// Returns nil if the C library does not support the encoding.
    init?(_ name: String) {
        guard let opened = iconv_open("UTF-8", name), Int(bitPattern: opened) != -1 else { return nil }
        handle = opened
    }

    deinit { iconv_close(handle) }

    func utf8(_ bytes: [UInt8]) -> [UInt8] {
        var (source, text) = (bytes, [UInt8]())
        text.reserveCapacity(2 * bytes.count)
        iconv(handle, nil, nil, nil, nil)
        source.withUnsafeMutableBytes { buffer in
            var input = buffer.bindMemory(to: CChar.self).baseAddress
            var left = buffer.count
            while left > 0 {
                let error = append(&input, &left, to: &text)
                if error == E2BIG { continue }
                if error != 0 { text += [0xEF, 0xBF, 0xBD] }
                // EINVAL means that the last sequence is incomplete.
                guard error == EILSEQ else { break }
                input = input.map { $0 + 1 }
                left -= 1
            }
        }
        // In some encodings, the converter holds back a character because it may combine with the next one.
        var (nothing, none): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        _ = append(&nothing, &none, to: &text)
        return text
    }

    /// Converts input until the output buffer is full.
    ///
    /// - Returns: 0, or the error that stopped the conversion.
    private func append(
        _ input: inout UnsafeMutablePointer<CChar>?, _ left: inout Int, to text: inout [UInt8]
    ) -> Int32 {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            var (output, space) = (buffer.baseAddress, buffer.count)
            let answer =
                input == nil ? iconv(handle, nil, nil, &output, &space) : iconv(handle, &input, &left, &output, &space)
            let error = answer == -1 ? errno : 0
            text += UnsafeRawBufferPointer(buffer)[..<(buffer.count - space)]
            return error
        }
    }
}

/// Distinguishes source code and data from text that is meant to be read.
enum SourceText {
    private static let starts = [
        "import ", "#include", "#define", "from ", "def ", "class ", "function ", "const ", "let ", "var ", "public ",
        "private ",
        "return ", "return;", "if (", "if(", "for (", "for(", "while (", "package ", "using ", "namespace ", "fn ",
        "pub ",
        "static ", "struct ", "enum ", "#!", "//", "/*", "* ", "*/", "# ", "echo ", "elif ", "else:", "try:", "except ",
        "self.",
        "@", "<?php", "SELECT ", "INSERT ", "CREATE ", "end", "func ", "func(", "int ", "void ", "local ", "export ",
        "\"",
    ]
    private static let ends: Set<Character> = [";", "{", "}", "[", "]", "(", ")", ">", "\\", "="]

    /// Whether most of the lines are source code or the text is data, such as JSON or XML.
    static func isProgram(_ text: String) -> Bool {
        // For a long text, checking the beginning is sufficient.
        let text = String(decoding: text.utf8.prefix(100_000), as: UTF8.self)
        let beginning = text.prefix(4096).drop(while: \.isWhitespace)
        if beginning.hasPrefix("#!/") || beginning.hasPrefix("<?xml") { return true }
        var (lines, code, sure) = (0, 0, 0)
        for line in text.split(whereSeparator: \.isNewline).prefix(400) {
            let bare = String(line).trimmed(\.isWhitespace)
            guard !bare.isEmpty else { continue }
            lines += 1
            let isSure =
                bare.contains(" = ") || bare.contains("==") || bare.contains("()") || bare.contains("->")
                || bare.contains("::")
                || bare.last.map(ends.contains) ?? false || bare.hasPrefix("\"") && bare.contains("\":")
            if isSure { sure += 1 }
            if isSure || starts.contains(where: bare.hasPrefix) { code += 1 }
        }
        // A short text is never considered source code, because a few lines are not conclusive.
        return lines >= 8 && 10 * code >= 6 * lines && 3 * sure >= lines
    }
}

extension String {
    /// The same lines as `split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)`. Searching the bytes of
    /// a long text is much faster than searching its characters.
    var lines: [String] {
        var lines: [String] = []
        var (start, index) = (0, 0)
        let bytes = Array(utf8)
        func ends(at index: Int, with tail: [UInt8]) -> Bool { bytes[index...].starts(with: tail) }
        while index < bytes.count {
            let length: Int
            switch bytes[index] {
            case 0x0D: length = ends(at: index, with: [0x0D, 0x0A]) ? 2 : 1
            case 0x0A, 0x0B, 0x0C: length = 1
            // U+0085, U+2028 and U+2029.
            case 0xC2: length = ends(at: index, with: [0xC2, 0x85]) ? 2 : 0
            case 0xE2:
                length =
                    ends(at: index, with: [0xE2, 0x80, 0xA8]) || ends(at: index, with: [0xE2, 0x80, 0xA9]) ? 3 : 0
            default: length = 0
            }
            if length > 0 {
                lines.append(String(decoding: bytes[start..<index], as: UTF8.self))
                start = index + length
            }
            index += max(1, length)
        }
        return lines + [String(decoding: bytes[start...], as: UTF8.self)]
    }

    /// The text with each run of white space replaced by a single space, and without white space at its ends.
    var singleSpaced: String {
        var result: [UInt8] = []
        let bytes = Array(utf8)
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 9...13, 0x20: if !result.isEmpty, result.last != 0x20 { result.append(0x20) }
            // Other white space, such as the ideographic space, begins with one of these bytes.
            case 0xC2, 0xE1, 0xE2, 0xE3:
                if bytes[index...].prefix(3).isWideSpace {
                    return split(whereSeparator: \.isWhitespace).joined(separator: " ")
                }
                result.append(byte)
            default: result.append(byte)
            }
        }
        if result.last == 0x20 { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes begin with non-ASCII white space in UTF-8.
    fileprivate var isWideSpace: Bool {
        guard let first, count > 1 else { return false }
        let (second, third) = (self[startIndex + 1], count > 2 ? self[startIndex + 2] : 0)
        switch (first, second) {
        case (0xC2, 0x85), (0xC2, 0xA0): return true
        case (0xE1, 0x9A), (0xE3, 0x80): return third == 0x80
        case (0xE2, 0x80): return (0x80...0x8A).contains(third) || [0xA8, 0xA9, 0xAF].contains(third)
        case (0xE2, 0x81): return third == 0x9F
        default: return false
        }
    }
}
