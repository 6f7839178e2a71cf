/// Chapters as Markdown: what reads a script then makes the pauses between headings, paragraphs and items. Code is left out.
package struct DocumentMarkdown {
    /// UTF-8.
    package private(set) var bytes: [UInt8] = []
    private var isInList = false

    package init(_ chapters: [Document.Chapter]) {
        for (index, chapter) in chapters.enumerated() {
            // A line across: a longer silence.
            if index > 0 { add("---") }
            for block in chapter.blocks { add(block) }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func add(_ block: Document.Block) {
        let text = Self.escaped(block.text)
        switch block.kind {
        case .heading(let level): add(String(repeating: "#", count: min(max(level, 1), 6)) + " " + text)
        case .paragraph, .row, .figure: add(text)
        case .item(_, let number): add((number.map { "\($0 % 1_000_000_000). " } ?? "* ") + text, isItem: true)
        case .code: break
        }
    }

    /// Items of one list follow each other without an empty line.
    private mutating func add(_ line: String, isItem: Bool = false) {
        if !bytes.isEmpty { bytes += Array((isItem && isInList ? "\n" : "\n\n").utf8) }
        bytes += Array(line.utf8)
        isInList = isItem
    }

    /// With a backslash before each sign that could be a mark.
    private static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for character in text {
            if character.isNewline {
                result.append(" ")
                continue
            }
            if marks.contains(character) { result.append("\\") }
            result.append(character)
        }
        // A number or a sign that begins a list, where a paragraph begins with it.
        guard let first = result.first else { return result }
        if "+-=>".contains(first) { return "\\" + result }
        let digits = result.prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty, let next = result[digits.endIndex...].first, ".)".contains(next) {
            return digits + "\\" + result[digits.endIndex...]
        }
        return result
    }

    private static let marks: Set<Character> = ["\\", "`", "*", "_", "[", "]", "<", ">", "&", "~", "|", "#", "!"]
}
