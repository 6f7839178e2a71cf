package import SynthSystem
import SynthTerminal

/// What `synthhost help GUIDE` shows: a Markdown document that is also read where the sources are.
package enum Guide: String, CaseIterable {
    case installing, speaking
    case choosingVoices = "choosing-voices"
    case pronunciation, books, listening, services
    case webPage = "web-page"
    case http
    case homeAssistant = "home-assistant"
    case screenReaders = "screen-readers"
    case automation, library
    case writingEngines = "writing-engines"
    case engineRules = "engine-rules"
    case measurements

    package var summary: String {
        switch self {
        case .commandLine: "voices, files, formats and settings"
        case .scripts: "SSML, Markdown, tokens, clips, pronunciation"
        case .services: "loaded voices, Home Assistant, screen readers, HTTP and the page"
        case .listening: "transcribing files and the microphone"
        case .library: "speech in your own programs"
        case .writingEngines: "your own engines"
        }
    }

    /// In bytes.
    private static let longest = 1 << 20

    /// Its text for people.
    ///
    /// - Parameters:
    ///   - folder: where the guides are.
    ///   - width: the column that sentences are wrapped at. Examples and tables are never broken.
    package func text(in folder: String, width: Int) throws(Errno) -> String {
        let bytes = try readWholeFile("\(folder)/\(rawValue).md", limit: Self.longest)
        var text = GuideText(width: width)
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            text.read(line)
        }
        return text.end()
    }
}

/// Markdown as the guides use it, made readable in a terminal: headings, paragraphs, items, tables, examples, links, pictures.
package struct GuideText {
    package let width: Int
    private var lines: [String] = []
    private var paragraph: [Substring] = []
    private var isItem = false
    private var isExample = false

    package init(width: Int) { self.width = width }

    package mutating func read(_ line: Substring) {
        if line.hasPrefix("```") {
            flush()
            isExample.toggle()
        } else if isExample {
            lines.append(line.isEmpty ? "" : "    " + line)
        } else if line.allSatisfy({ $0 == " " }) {
            flush()
            if lines.last?.isEmpty == false { lines.append("") }
        } else if line.hasPrefix("#") {
            flush()
            lines.append(Self.withoutLinks(line.drop { $0 == "#" || $0 == " " }).uppercased())
        } else if line.hasPrefix("|") {
            flush()
            let isRule = line.allSatisfy { "|-: ".contains($0) }
            if !isRule { lines.append("  " + Self.cells(line).joined(separator: "  ")) }
        } else if line.hasPrefix("![") {
            // A terminal shows no pictures.
            flush()
        } else {
            if line.hasPrefix("* ") || line.first?.isNumber == true && line.drop(while: \.isNumber).hasPrefix(". ") {
                flush()
                isItem = true
            }
            paragraph.append(line.drop { $0 == " " })
        }
    }

    package mutating func end() -> String {
        flush()
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    private mutating func flush() {
        guard !paragraph.isEmpty else { return }
        let text = Self.withoutLinks(paragraph.joined(separator: " ")[...])
        let wrapped = DisplayWidth.wrap(text, to: width - (isItem ? 2 : 0))
        lines += wrapped.enumerated().map { isItem && $0.offset > 0 ? "  \($0.element)" : $0.element }
        (paragraph, isItem) = ([], false)
    }

    private static func cells(_ row: Substring) -> [String] {
        row.split(separator: "|").map { cell in
            withoutLinks(
                cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed().map(String.init).joined()[...])
        }
    }

    /// Of "[words](address)" the words.
    private static func withoutLinks(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let open = rest.firstIndex(of: "[") {
            let after = rest[rest.index(after: open)...]
            guard let middle = after.firstRange(of: "]("), let close = after[middle.upperBound...].firstIndex(of: ")"),
                !after[..<middle.lowerBound].contains("[")
            else {
                result += rest[...open]
                rest = after
                continue
            }
            result += rest[..<open] + after[..<middle.lowerBound]
            rest = after[after.index(after: close)...]
        }
        return result + rest
    }
}
