/// Chapters as Markdown: what reads a script then makes the pauses between headings, paragraphs and items. Code is left out.
package struct DocumentMarkdown {
    /// UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// Where in it the text of each block is, in order; of code, which is left out, an empty range.
    package private(set) var places: [Range<Int>] = []
    private var isInList = false

    package init(_ chapters: [Document.Chapter]) {
        for (index, chapter) in chapters.enumerated() {
            // A line across: a longer silence.
            if index > 0 { _ = add("---", "") }
            for block in chapter.blocks { add(block) }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func add(_ block: Document.Block) {
        let text = Self.escaped(block.text)
        switch block.kind {
        case .heading(let level): places.append(add(String(repeating: "#", count: min(max(level, 1), 6)) + " ", text))
        case .paragraph, .row, .figure: places.append(add("", text))
        case .item(_, let number):
            places.append(add(number.map { "\($0 % 1_000_000_000). " } ?? "* ", text, isItem: true))
        case .code: places.append(bytes.count..<bytes.count)
        }
    }

    /// Items of one list follow each other without an empty line.
    ///
    /// - Returns: where the text is.
    private mutating func add(_ mark: String, _ text: String, isItem: Bool = false) -> Range<Int> {
        if !bytes.isEmpty { bytes += Array((isItem && isInList ? "\n" : "\n\n").utf8) }
        bytes += Array(mark.utf8)
        let start = bytes.count
        bytes += Array(text.utf8)
        isInList = isItem
        return start..<bytes.count
    }

    /// The bytes of a block's own text that a range of the Markdown stands for; empty if it is elsewhere.
    ///
    /// - Parameter block: counts from 0, over all chapters.
    package func text(of range: Range<Int>, inBlock block: Int) -> Range<Int> {
        guard places.indices.contains(block) else { return 0..<0 }
        let place = places[block]
        // Each backslash is one that was added.
        func offset(of end: Int) -> Int {
            var (index, count) = (place.lowerBound, 0)
            while index < end {
                if bytes[index] == UInt8(ascii: "\\"), index + 1 < place.upperBound { index += 1 }
                if index < end { count += 1 }
                index += 1
            }
            return count
        }
        let inside = range.clamped(to: place)
        return inside.isEmpty ? 0..<0 : offset(of: inside.lowerBound)..<offset(of: inside.upperBound)
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
