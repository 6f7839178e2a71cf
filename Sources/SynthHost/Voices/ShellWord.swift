/// A word as a POSIX shell reads it back, for commands that a message tells to type.
package enum ShellWord {
    package static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "._+-/@%:,=".utf8.contains(byte)
            }
        if isPlain { return word }
        let isTame = !word.contains { "\"$`\\!".contains($0) }
        return isTame && !word.isEmpty ? "\"\(word)\"" : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
