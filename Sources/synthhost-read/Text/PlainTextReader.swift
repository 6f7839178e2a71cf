import SynthDocuments

/// Reads plain text. Paragraphs are separated by empty lines, and chapters start at headings.
struct PlainTextReader {
    let text: String

    /// - Parameter bytes: UTF-8 (possibly with a few errors), UTF-16 with a byte order mark, or windows-1252.
    init(_ bytes: [UInt8]) {
        let text = String(decoding: TextDecoding.utf8(bytes), as: UTF8.self)
        self.text = FoldedPages(text)?.text ?? text
    }

    /// - Parameter withNotes: whether to read footnotes, which are between paragraphs.
    func chapters(withNotes: Bool = false) -> [Document.Chapter] {
        var chapters: [Document.Chapter] = []
        var blocks: [Document.Block] = []
        var title: String?
        func finish() {
            if blocks.last?.kind == .scene { blocks.removeLast() }
            if !blocks.isEmpty { chapters.append(Document.Chapter(title: title, blocks: blocks)) }
            blocks = []
        }
        let paragraphs = paragraphs()
        let width = Self.width(of: paragraphs)
        for paragraph in paragraphs {
            let position = Document.Position(line: paragraph.line)
            if paragraph.isOrnament {
                blocks.appendScene(at: position)
            } else if let heading = Self.heading(paragraph.lines) {
                finish()
                title = heading
                blocks = [Document.Block(.heading(level: 1), heading, at: position)]
            } else if let note = WrittenNotes.note(paragraph.lines) {
                if withNotes { blocks.append(Document.Block(.paragraph, note, at: position)) }
            } else if let picture = Self.picture(paragraph.lines) {
                if !picture.isEmpty { blocks.append(Document.Block(.figure, picture, at: position)) }
            } else {
                let separator = paragraph.isVerse(width: width) ? "\n" : " "
                let text = WrittenNotes.removed(from: paragraph.lines.joined(separator: separator))
                blocks.append(Document.Block(.paragraph, text, at: position))
            }
        }
        finish()
        return chapters
    }

    private struct Paragraph {
        var lines: [String]
        /// The number of the paragraph's first line, starting at 1.
        let line: Int
        /// The number of indented lines.
        var indented = 0

        var isOrnament: Bool { lines.count <= 3 && lines.allSatisfy(Ornament.isSceneBreak) }

        /// Whether the line breaks are deliberate, which is the case if most lines are short and most do not start in
        /// lowercase.
        ///
        /// - Parameter width: the line width of the text.
        func isVerse(width: Int) -> Bool {
            guard lines.count > 1 else { return false }
            var (short, continued) = (0, 0)
            for (line, next) in zip(lines, lines.dropFirst()) {
                let first = next.prefix { $0 != " " }.count
                if line.count + 1 + first <= width { short += 1 }
                if next.first(where: { $0.isLetter })?.isLowercase ?? false { continued += 1 }
            }
            let breaks = lines.count - 1
            // A paragraph of two lines may be prose whose first line is short.
            if breaks == 1 { return short == 1 && continued == 0 && indented > 0 }
            return 10 * short >= 8 * breaks
                && (5 * continued <= 2 * breaks || indented == lines.count && 2 * continued <= breaks)
        }
    }

    /// Returns the length of full lines in the text, but at least the width of a narrow column so that lists are not
    /// treated as prose.
    private static func width(of paragraphs: [Paragraph]) -> Int {
        let lengths = paragraphs.flatMap { $0.lines.dropLast().map(\.count) }.sorted()
        guard !lengths.isEmpty else { return narrow }
        return min(max(lengths[lengths.count * 9 / 10], narrow), 100)
    }

    private static let narrow = 45

    private func paragraphs() -> [Paragraph] {
        var paragraphs: [Paragraph] = []
        var isOpen = false
        for (index, line) in text.lines.enumerated() {
            let words = PageMarks.removed(from: line).singleSpaced
            guard !words.isEmpty else {
                // A page number on a separate line does not end a paragraph.
                if line.allSatisfy(\.isWhitespace) { isOpen = false }
                continue
            }
            let isIndented = line.prefix(2).allSatisfy(\.isWhitespace)
            if isOpen {
                paragraphs[paragraphs.count - 1].lines.append(words)
            } else {
                paragraphs.append(Paragraph(lines: [words], line: index + 1))
            }
            if isIndented { paragraphs[paragraphs.count - 1].indented += 1 }
            isOpen = true
        }
        return paragraphs
    }

    /// Returns the description of an image in a transcribed book, such as "[Illustration: A map]". The description is
    /// empty if it is not useful, and nil if the paragraph is not an image.
    private static func picture(_ lines: [String]) -> String? {
        guard let first = lines.first, first.hasPrefix("[Illustration") || first.hasPrefix("[Image"), lines.count <= 6
        else {
            return nil
        }
        let text = lines.joined(separator: " ")
        guard text.last == "]" else { return nil }
        let words = text.dropLast().drop { $0 != ":" && $0 != " " }.drop { $0 == ":" || $0 == " " }
        return Ornament.isDecorative(alternative: String(words)) ? "" : String(words)
    }

    // MARK: - Preformatted texts

    /// Whether preformatted text is verse or a letter rather than source code or a table.
    static func isWrittenForReaders(_ text: String) -> Bool {
        let lines = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
        guard lines.count > 1 else { return false }
        let signs = text.utf8.count { "{}=<>;()|\\/_$@#&%*+~^[]".utf8.contains($0) }
        guard 50 * signs <= text.utf8.count else { return false }
        let good = lines.count { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            let inner = line.drop(while: \.isWhitespace)
            // Columns are separated by several spaces.
            return !inner.contains("   ") && words.count { !$0.isEmpty } >= 2
                && (inner.first.map { $0.isUppercase || "“‘\"'«„—¿¡".contains($0) } ?? false)
        }
        return 3 * good >= 2 * lines.count
    }

    /// Returns the paragraphs of preformatted text with their line breaks.
    static func stanzas(_ text: String) -> [String] {
        var stanzas: [String] = []
        var isOpen = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if words.isEmpty {
                isOpen = false
            } else if isOpen {
                stanzas[stanzas.count - 1] += "\n" + words
            } else {
                stanzas.append(words)
                isOpen = true
            }
        }
        return stanzas
    }

    /// Names of parts of a book in the supported languages.
    static let names = Set(LanguageWords.headings.split(separator: " ").map(String.init))
    /// The maximum number of characters in a heading line.
    private static let longest = 80

    /// Returns the heading in a paragraph of one or two lines, such as "XII", "4. The sea", or "CHAPTER IV" with an
    /// optional title on the next line. Returns nil if the paragraph is not a heading.
    static func heading(_ lines: [String]) -> String? {
        guard let first = lines.first, lines.count <= 2, lines.allSatisfy({ $0.count <= longest }) else { return nil }
        if lines.count == 1, isCounted(first) { return first }
        let words = first.split(separator: " ")
        let name = words[0].lowercased().trimmed { !$0.isLetter }
        let isNamed = names.contains(name) && (words.count == 1 || isNumber(words[1]) || first == first.uppercased())
        guard isNamed || lines.count == 1 && words.count == 1 && isNumber(words[0]) else { return nil }
        // A line that ends with a comma or a semicolon is part of a sentence rather than a heading.
        if isNamed, lines.count == 1, let last = first.last, ",;".contains(last) { return nil }
        return lines.joined(separator: lines[0].last.map { $0.isPunctuation } == true ? " " : ". ")
    }

    /// Whether the line is a numbered chapter heading in Chinese, Japanese or Korean: "第一章 开始", "第3回", "제1장".
    private static func isCounted(_ line: String) -> Bool {
        guard let first = line.first, "第제".contains(first), let last = line.last, !"。，、".contains(last) else {
            return false
        }
        let digits = line.dropFirst().drop { $0 == " " }
        let rest = digits.drop { $0.isNumber || "一二三四五六七八九十百千零〇两兩".contains($0) }
        guard rest.startIndex > digits.startIndex, let name = rest.drop(while: { $0 == " " }).first else {
            return false
        }
        return "章回节節卷部篇幕話话장부권화".contains(name)
    }

    /// Whether the word is a number, such as "4", "IV." or "one", or introduces one, as in "the First".
    static func isNumber(_ word: Substring) -> Bool {
        let bare = String(word).trimmed { $0.isPunctuation }
        guard !bare.isEmpty else { return false }
        if bare.allSatisfy(\.isNumber) { return bare.count <= 4 }
        return bare.uppercased() == bare && bare.allSatisfy { "IVXLC".contains($0) }
            || numerals.contains(bare.lowercased())
    }

    private static let numerals = Set(LanguageWords.numerals.split(separator: " ").map(String.init))
}

/// Joins pages that end with form feeds into one text without running heads and page numbers.
struct FoldedPages {
    private var pages: [[Substring]]

    /// Returns nil if the text is not divided into pages.
    init?(_ text: String) {
        guard text.utf8.contains(Self.formFeed) else { return nil }
        pages = text.split(separator: "\u{C}", omittingEmptySubsequences: true)
            .map {
                $0.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" || $0 == "\r" })
            }
    }

    private static let formFeed: UInt8 = 0x0C

    var text: String {
        var folded = pages.map(Self.trimmed)
        // The first pass removes running heads. The second pass removes footers, with the lines of each page in reverse
        // order.
        for _ in 0..<2 {
            let heads = Self.repeated(folded.compactMap(\.first))
            for index in folded.indices {
                guard let line = folded[index].first, Self.isPageNumber(line) || heads.contains(Self.shape(line))
                else { continue }
                folded[index] = Self.trimmed(Array(folded[index].dropFirst()))
            }
            folded = folded.map { $0.reversed() }
        }
        var result = ""
        for page in folded where !page.isEmpty {
            if !result.isEmpty { result += Self.continuesText(result, page[0]) ? "\n" : "\n\n" }
            result += page.joined(separator: "\n")
        }
        return result
    }

    /// Returns the page without leading and trailing empty lines.
    private static func trimmed(_ page: [Substring]) -> [Substring] {
        let isEmpty = { (line: Substring) in line.allSatisfy(\.isWhitespace) }
        guard let first = page.firstIndex(where: { !isEmpty($0) }), let last = page.lastIndex(where: { !isEmpty($0) })
        else { return [] }
        return Array(page[first...last])
    }

    /// Returns the lines that occur at least three times, ignoring the numbers in them. At the top or bottom of pages,
    /// such a line is a page number or the title of the book or of a chapter.
    private static func repeated(_ lines: [Substring]) -> Set<String> {
        Set(Dictionary(grouping: lines.filter { $0.count <= 80 }, by: shape).filter { $0.value.count >= 3 }.keys)
    }

    private static func shape(_ line: Substring) -> String {
        line.split(whereSeparator: \.isWhitespace).map { $0.allSatisfy(\.isNumber) ? "0" : String($0) }.joined(
            separator: " ")
    }

    /// Whether the line is a page number: "17", "- 17 -", "xvii".
    private static func isPageNumber(_ line: Substring) -> Bool {
        let bare = line.filter { $0.isLetter || $0.isNumber }
        guard !bare.isEmpty, bare.count <= 6, line.count <= 20 else { return false }
        return bare.allSatisfy { $0.isASCII && $0.isNumber } || bare.allSatisfy { "ivxlc".contains($0) }
    }

    /// Whether the last sentence continues on the next page.
    private static func continuesText(_ text: String, _ next: Substring) -> Bool {
        guard let last = text.last(where: { !$0.isWhitespace }), let first = next.first(where: { !$0.isWhitespace })
        else {
            return false
        }
        return first.isLowercase || last.isLetter || ",;-".contains(last)
    }
}
