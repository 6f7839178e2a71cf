/// Tells programs and data from texts that are written for readers.
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

    /// Whether most lines are those of a program, or the text is data: JSON, XML.
    static func isProgram(_ text: String) -> Bool {
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
        // Notes of a few lines may hold anything.
        return lines >= 8 && 10 * code >= 6 * lines && 3 * sure >= lines
    }
}
