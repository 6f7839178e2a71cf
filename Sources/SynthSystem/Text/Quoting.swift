/// Quotes words for commands that a message tells the user to type.
package enum ShellWord {
    /// Returns the word, quoted if a shell would interpret it. Terminal control characters are escaped as `$'…'` (bash,
    /// zsh and POSIX.1-2024), so that a word never breaks its line.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.utf8.allSatisfy(isPlain), word.utf8.first != UInt8(ascii: "=") { return word }
        if word.unicodeScalars.contains(where: \.steersTerminal) { return spelled(word) }
        let needsNoEscaping = !word.isEmpty && !word.contains { "\"$`\\!".contains($0) }
        return needsNoEscaping ? "\"\(word)\"" : "'\(word.replacing("'", with: "'\\''"))'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "._+-/@%:,=".utf8.contains(byte)
    }

    private static func spelled(_ word: String) -> String {
        var text = ""
        for scalar in word.unicodeScalars {
            if scalar.steersTerminal {
                for byte in String(scalar).utf8 {
                    // Always write three digits, so that a following digit is not read as part of the escape.
                    let digits = String(byte, radix: 8)
                    text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                }
            } else {
                if scalar == "'" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        }
        return "$'\(text)'"
    }
}

extension Unicode.Scalar {
    /// Whether a terminal interprets the character instead of showing it: control characters, line and paragraph
    /// separators, bidirectional marks and overrides, and annotations.
    package var steersTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x206F, 0xFEFF,
            0xFFF9...0xFFFB:
            true
        default: false
        }
    }
}

/// Percent-encoding in URLs (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Encodes a path for use in a URL, leaving its slashes unchanged.
    package static func encoded(_ path: String) -> String {
        let hexadecimal = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(path.utf8.count)
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x2f, 0x5f, 0x7e: encoded.append(byte)
            default: encoded += [0x25, hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Decodes each `%` and the two hexadecimal digits that follow it; nil if a digit is missing.
    package static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.next()?.hexadecimalDigit, let low = rest.next()?.hexadecimalDigit else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }
}

extension UInt8 {
    /// Whether this is an ASCII letter or digit.
    package var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// The value of a hexadecimal digit; nil for any other character.
    package var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
