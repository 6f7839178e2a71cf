import CSynthMarkdown

/// Converts a Markdown document (CommonMark with GitHub's tables, strikethrough, task lists and footnotes) to script
/// parts.
///
/// | in the document | spoken |
/// |---|---|
/// | heading, paragraph | its text, followed by a heading or paragraph pause |
/// | line break in a paragraph | a space |
/// | hard line break: two spaces or a backslash at the end of the line, or `<br>` | a sentence pause; a space in a table, or if a long line continues in lowercase |
/// | list item | its text, followed by a sentence pause, or by a paragraph pause if empty lines separate the items. A numbered item begins with its number as Markdown renders it. A paragraph pause follows the list |
/// | task list item | its text, without the check box |
/// | quotation | its text |
/// | emphasis, strikethrough, inline code | its text |
/// | link | its text; a URL in angle brackets is spoken as written |
/// | image | its alternative text |
/// | table | row by row, beginning with the header: the non-empty cells, separated by commas. A sentence pause follows each row and each cell that ends with a punctuation mark |
/// | thematic break (`---`) | 1.5 s of silence, unless there is no spoken text before or after it |
/// | code block | nothing |
/// | HTML block | its text, with the pauses of its headings, paragraphs, items and rows; comments, scripts, styles and code listings are skipped |
/// | inline tag | nothing |
/// | footnote | its text as a paragraph at its position, even if it is not referenced; its marker (`[^a]`) is skipped |
/// | link reference definition | nothing |
/// | front matter (`---` and YAML, or `+++` and TOML) | nothing |
/// | definition (`: ` at the start of a line) | its text, after a sentence pause |
/// | callout (`> [!NOTE]`, `!!! note "Title"`) | its title, or otherwise its type |
/// | wiki link (`[[Page\|text]]`), unless tokens are recognized | its text, or otherwise the page; nothing for an embedded file |
/// | heading attributes (`{#name .class}`) | nothing |
///
/// Tokens (`TokenScript`) are optional. They are not recognized in code or after a backslash. Markup within a token
/// does not end it, but may change its content.
package struct MarkdownScript: ScriptReader {
    /// The length of the silence for a thematic break.
    package static let breakLength = Duration.milliseconds(1_500)

    /// The name of the library that parses Markdown.
    package static let library = String(cString: synth_markdown_library)

    /// Loads the Markdown library in advance. Otherwise, it is loaded with the first document, which is impossible in a
    /// confined process.
    ///
    /// - Returns: the library's name.
    /// - Throws: `libraryNotLoaded`.
    package static func loadLibrary() throws(ScriptError) -> String { try MarkdownLibrary.loaded().name }

    private let document: [UInt8]
    private var blocks: MarkdownBlocks
    private var tokens: TokenReader?
    private var ready = ScriptPartList([])
    private var hasSaid = false
    private var isAtEnd = false

    /// - Parameters:
    ///   - document: UTF-8, at most 16 MiB, with or without a byte order mark.
    ///   - tokens: whether to recognize tokens in brackets.
    /// - Throws: `libraryNotLoaded`; another error if the document is not text, is too long or too deeply nested,
    ///   contains more than four million lines and markup characters in total, or contains a table that expands to far
    ///   more than its source. The error for an invalid token is thrown when the reader reaches it.
    package init(_ document: [UInt8], tokens: Bool = false) throws(ScriptError) {
        _ = try ScriptDocument.check(document.span)
        self.document = document
        blocks = try MarkdownBlocks(document, readsWikiLinks: !tokens)
        self.tokens = tokens ? TokenReader() : nil
    }

    package mutating func next() throws(ScriptError) -> ScriptPart? {
        while true {
            if let part = ready.next() { return part }
            guard !isAtEnd else { return nil }
            guard let block = blocks.next() else {
                isAtEnd = true
                return hasSaid ? blocks.pause.map { .end($0) } : nil
            }
            ready = ScriptPartList(try parts(of: block))
        }
    }

    /// Returns the parts of a block. Omits any pauses and thematic breaks that precede the first words of the document.
    private mutating func parts(of block: MarkdownBlock) throws(ScriptError) -> [ScriptPart] {
        var parts: [ScriptPart] = []
        if hasSaid {
            if let pause = block.pause { parts.append(.end(pause)) }
            if let rule = block.rule { parts.append(.silence(Self.breakLength, source: rule)) }
        }
        let document = document
        var text = block.number
        text.append(block.text)
        for (number, line) in text.lines.enumerated() {
            let said =
                try tokens?.parts(of: line.mapped, in: document.span, literal: line.literal)
                ?? [.text(ScriptText(line.mapped.text, source: line.mapped.source))]
            if said.isEmpty { continue }
            if number > 0, hasSaid { parts.append(.end(.sentence)) }
            hasSaid = true
            parts += said
        }
        return parts
    }
}

/// Metadata at the start of a document, which is not spoken.
enum FrontMatter {
    /// Returns the position after front matter, which starts with the line `---`, followed by a non-empty line, and
    /// ends with the line `---` or `...`. TOML front matter starts and ends with the line `+++`. Returns `start` if
    /// there is no front matter.
    static func end(of document: Span<UInt8>, from start: Int) -> Int {
        var line = MarkdownLine(at: start, of: document)
        func isLine(_ text: StaticString) -> Bool {
            let length = document.lastVisible(line.range) - line.range.lowerBound
            return length == text.utf8CodeUnitCount && document.has(text, at: line.range.lowerBound)
        }
        let isTOML = isLine("+++")
        guard isTOML || isLine("---") else { return start }
        var isFirst = true
        while line.next < document.count {
            line = MarkdownLine(at: line.next, of: document)
            if isFirst, line.isBlank { return start }
            isFirst = false
            if isTOML ? isLine("+++") : isLine("---") || isLine("...") { return line.next }
        }
        return start
    }
}
