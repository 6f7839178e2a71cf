/// Quotes words for commands that a message tells the user to type.
package enum ShellWord {
    /// The word unchanged if no shell changes it, else in quotes. Characters that steer a terminal are escaped as
    /// `$'…'` (bash, zsh and POSIX of 2024), so that a word never breaks its line.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.utf8.allSatisfy(isPlain), word.utf8.first != UInt8(ascii: "=") { return word }
        if word.unicodeScalars.contains(where: \.steersTerminal) { return spelled(word) }
        let isTame = !word.isEmpty && !word.contains { "\"$`\\!".contains($0) }
        return isTame ? "\"\(word)\"" : "'\(word.replacing("'", with: "'\\''"))'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "._+-/@%:,=".utf8.contains(byte)
    }

    private static func spelled(_ word: String) -> String {
        var text = ""
        for scalar in word.unicodeScalars {
            if scalar.steersTerminal {
                for byte in String(scalar).utf8 {
                    // Always three digits, so that a digit that follows is not read as part of the escape.
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
    /// Whether a terminal acts on it instead of showing it: control characters, line and paragraph separators, marks
    /// and overrides of the reading order, annotations.
    package var steersTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x206F, 0xFEFF,
            0xFFF9...0xFFFB:
            true
        default: false
        }
    }
}
