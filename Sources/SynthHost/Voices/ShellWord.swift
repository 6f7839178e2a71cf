/// A word as a shell reads it back, for commands that a message tells to type.
package enum ShellWord {
    /// The word as it stands where it means itself, else in quotes. Control characters are spelled in the way of bash,
    /// zsh and POSIX of 2024, so that a word never breaks the line that it stands in.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.utf8.allSatisfy(isPlain), word.utf8.first != UInt8(ascii: "=") { return word }
        if word.unicodeScalars.contains(where: isControl) { return spelled(word) }
        let isTame = !word.isEmpty && !word.contains { "\"$`\\!".contains($0) }
        return isTame ? "\"\(word)\"" : "'\(word.replacing("'", with: "'\\''"))'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "._+-/@%:,=".utf8.contains(byte)
    }

    /// Also what only looks like none: separators of lines, and marks that turn the direction of reading.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }

    private static func spelled(_ word: String) -> String {
        var text = ""
        for scalar in word.unicodeScalars {
            if isControl(scalar) {
                for byte in String(scalar).utf8 {
                    // Three digits each: more would be taken for part of it.
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
