package import SynthSystem
import SynthTerminal

/// A guide shown by `synthhost help GUIDE`. The guides are Markdown documents that can also be read in the source repository.
package enum Guide: String, CaseIterable {
    case installing, speaking
    case choosingVoices = "choosing-voices"
    case pronunciation, reading, books, listening, services
    case webPage = "web-page"
    case http
    case homeAssistant = "home-assistant"
    case screenReaders = "screen-readers"
    case automation, library
    case writingEngines = "writing-engines"
    case engineRules = "engine-rules"
    case measurements, reliability

    package var summary: String {
        switch self {
        case .installing: "install, update and remove; packages, files and folders"
        case .speaking: "speak text, write audio files, change speed and pitch"
        case .choosingVoices: "find, download, tune, blend and add voices"
        case .pronunciation: "correct words; SSML, Markdown, tokens, sound clips"
        case .reading: "read text and books in the terminal, with keyboard controls; read selected text"
        case .books: "read books and create audiobooks"
        case .listening: "transcribe recordings and dictate"
        case .services: "keep voices loaded; tokens, containers, proxies"
        case .webPage: "read and transcribe in the browser"
        case .http: "the HTTP API, OpenAI clients, live transcription"
        case .homeAssistant: "voices and recognizers for Home Assistant"
        case .screenReaders: "voices for Orca and speech-dispatcher"
        case .automation: "shell scripts, lists of texts, clusters, AI assistants"
        case .library: "speak and listen from Swift"
        case .writingEngines: "write and check an engine"
        case .engineRules: "what an engine can access, and how it requests more"
        case .measurements: "speed, memory and accuracy compared with other programs"
        case .reliability: "what survives crashes, full disks and lost connections, and how it is tested"
        }
    }

    private static let longest = 1 << 20

    /// Returns the guide as text for a terminal.
    ///
    /// - Parameters:
    ///   - folder: the folder with the guides.
    ///   - width: the column at which sentences are wrapped. Examples and tables are not wrapped.
    package func text(in folder: String, width: Int) throws(Errno) -> String {
        let bytes = try readWholeFile("\(folder)/\(rawValue).md", limit: Self.longest)
        var text = GuideText(width: width)
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            text.read(line)
        }
        return text.end()
    }
}

/// Converts the Markdown of the guides into terminal text. Supports headings, paragraphs, lists, tables, examples,
/// links and images.
package struct GuideText {
    package let width: Int
    private var lines: [String] = []
    private var paragraph: [Substring] = []
    private var isItem = false
    private var isExample = false

    package init(width: Int) { self.width = width }

    /// Converts the next line of Markdown.
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
            // Images are omitted.
            flush()
        } else {
            if line.hasPrefix("* ") || line.first?.isNumber == true && line.drop(while: \.isNumber).hasPrefix(". ") {
                flush()
                isItem = true
            }
            paragraph.append(line.drop { $0 == " " })
        }
    }

    /// Returns the text. Call this after the last line.
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

    /// Replaces each link "[words](URL)" with its words.
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
