/// Chapters as Markdown: what reads a script then makes the pauses between headings, paragraphs and items. Code is announced, and left
/// out.
package struct DocumentMarkdown {
    /// UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// Where in it the text of each block is, in order; of code, the words that stand for it.
    package private(set) var places: [Range<Int>] = []
    /// How long the texts are that only something else stands for, in bytes, by their blocks.
    private var replaced: [Int: Int] = [:]
    private var isInList = false
    private var isCode = false
    private let words: DocumentWords

    /// - Parameter language: of the document.
    package init(_ chapters: [Document.Chapter], language: String?) {
        words = DocumentWords(language: language)
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
        // Once for all that follows each other.
        case .code:
            replaced[places.count] = block.text.utf8.count
            places.append(isCode ? bytes.count..<bytes.count : add("", Self.escaped(words.code)))
        }
        isCode = block.kind == .code
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

    /// - Parameter block: counts from 0, over all chapters.
    package func offsets(inBlock block: Int) -> Offsets {
        Offsets(places[block], of: bytes, replacing: replaced[block])
    }

    /// Which byte of a block's own text each byte of its Markdown stands for: each backslash is one that was added.
    package struct Offsets {
        private let place: Range<Int>
        /// The length of a text that the Markdown stands for as a whole.
        private let whole: Int?
        /// For each byte, and for the end.
        private var offsets: [Int] = []

        fileprivate init(_ place: Range<Int>, of bytes: [UInt8], replacing whole: Int?) {
            self.place = place
            self.whole = whole
            offsets.reserveCapacity(place.count + 1)
            var (count, isEscaped) = (0, false)
            for index in place {
                offsets.append(count)
                let isMark = !isEscaped && bytes[index] == UInt8(ascii: "\\") && index + 1 < place.upperBound
                if !isMark { count += 1 }
                isEscaped = isMark
            }
            offsets.append(count)
        }

        /// The bytes of the text that a range of the Markdown stands for; empty if it is elsewhere.
        package func text(of range: Range<Int>) -> Range<Int> {
            let inside = range.clamped(to: place)
            guard !inside.isEmpty else { return 0..<0 }
            if let whole { return 0..<whole }
            return offsets[inside.lowerBound - place.lowerBound]..<offsets[inside.upperBound - place.lowerBound]
        }

        /// The bytes of the Markdown that stand for a range of the text.
        package func range(of text: Range<Int>) -> Range<Int> {
            func first(_ offset: Int) -> Int {
                var (low, high) = (0, offsets.count - 1)
                while low < high {
                    let middle = (low + high) / 2
                    if offsets[middle] < offset { low = middle + 1 } else { high = middle }
                }
                return low
            }
            let start = place.lowerBound + first(text.lowerBound)
            return start..<max(start, place.lowerBound + first(text.upperBound))
        }
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

/// What is said of a document that it does not say itself, in its language.
package struct DocumentWords: Equatable, Sendable {
    /// Before a note that is read at its place.
    package let note: String
    /// In place of a programme, or what else is written letter for letter.
    package let code: String

    private init(_ note: String, _ code: String) { (self.note, self.code) = (note, code) }

    /// - Parameter language: BCP-47; English stands for those that are not known.
    package init(language: String?) {
        let base = language.map { String($0.prefix { $0 != "-" && $0 != "_" }).lowercased() } ?? "en"
        self = Self.known[base] ?? DocumentWords("Note", "Code is left out.")
    }

    private static let known = [
        "de": DocumentWords("Anmerkung", "Programmtext ausgelassen."), "fr": DocumentWords("Note", "Code omis."),
        "es": DocumentWords("Nota", "Código omitido."), "it": DocumentWords("Nota", "Codice omesso."),
        "pt": DocumentWords("Nota", "Código omitido."), "pl": DocumentWords("Przypis", "Kod pominięto."),
        "ru": DocumentWords("Примечание", "Код пропущен."), "nl": DocumentWords("Noot", "Code weggelaten."),
    ]
}
