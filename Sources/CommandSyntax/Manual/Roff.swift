/// Builds a page in the language of groff_man(7). Text is shown literally.
package struct Roff {
    private(set) var text = ""

    package mutating func title(_ name: String, version: String) {
        add(".TH \"\(Self.escape(name.uppercased()))\" 1 \"\" \"\(Self.escape(version))\" \"User Commands\"")
    }

    package mutating func section(_ title: String) { add(".SH \(title)") }
    package mutating func subsection(_ title: String) { add(".SS \(Self.escape(title))") }

    /// A paragraph.
    package mutating func text(_ text: String) {
        add(".PP")
        add(Self.line(text))
    }

    /// A command in bold with what follows it.
    package mutating func usage(_ command: String, _ rest: [String]) {
        add(".PP")
        add("\\fB\(Self.escape(command))\\fR" + rest.map { " " + Self.escape($0) }.joined())
    }

    /// A term in bold, the name of its value in italics, and what it means.
    package mutating func item(_ term: String, value: String? = nil, _ meaning: String) {
        add(".TP")
        add("\\fB\(Self.escape(term))\\fR" + (value.map { " \\fI\(Self.escape($0))\\fR" } ?? ""))
        add(Self.line(meaning))
    }

    /// A line to type, never broken, with what it does.
    package mutating func example(_ command: String, _ meaning: String) {
        add(".PP")
        add(Self.line(meaning.prefix(1).uppercased() + meaning.dropFirst() + ":"))
        add(".RS 4")
        add(".nf")
        add(Self.line(command))
        add(".fi")
        add(".RE")
    }

    /// Lines that are never broken.
    package mutating func lines(_ text: String) {
        add(".PP")
        add(".RS 4")
        add(".nf")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { add(Self.line(String(line))) }
        add(".fi")
        add(".RE")
    }

    package mutating func references(_ pages: [String]) {
        for (index, page) in pages.enumerated() {
            add(".BR \(Self.escape(page)) (1)" + (index < pages.count - 1 ? "," : ""))
        }
    }

    private mutating func add(_ line: String) { text += line + "\n" }

    /// A line of text, escaped so that it is no request.
    private static func line(_ text: String) -> String {
        let escaped = escape(text)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    private static func escape(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\"": result += "\\(dq"
            case "'": result += "\\(aq"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            case "`": result += "\\(ga"
            case "…": result += "..."
            case "\n": result += " "
            default: result.append(character)
            }
        }
    }
}
