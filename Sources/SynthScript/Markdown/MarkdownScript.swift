import CSynthMarkdown

/// Markdown as CommonMark describes it, with GitHub's tables, strikethrough, task lists and footnotes, as it is heard.
///
/// | in the document | what is said |
/// |---|---|
/// | heading, paragraph | its words; a paragraph ends after it |
/// | line break in a paragraph | a space, also `<br>` |
/// | item of a list | its words; a sentence ends after it, or a paragraph if empty lines stand between the items. A numbered one says its number first, counted as Markdown counts. A paragraph ends after the list |
/// | task | its words, without the box |
/// | quotation | its words |
/// | emphasis, struck out text, code in a line | its words |
/// | link | its words; an address in pointed brackets as it is written |
/// | image | the words that describe it |
/// | table | row by row, the header first: the cells that are not empty, with commas between. A sentence ends after each row, and after a cell that ends with a mark |
/// | line across (`---`) | nothing; 1.5 s of silence, unless nothing was said before or nothing follows |
/// | block of code | nothing |
/// | block of HTML | its words, with the pauses of its headings, paragraphs, items and rows; nothing of comments, scripts, styles and programmes |
/// | tag in a line | nothing |
/// | footnote | its text where it stands, as a paragraph, also if nothing refers to it; its sign (`[^a]`) says nothing |
/// | definition of a link's address | nothing |
/// | settings at the head (`---` and YAML) | nothing |
///
/// Tokens (`TokenScript`) are read if asked for, except in code, and not where a backslash stands before the bracket. One
/// stands within a stretch of text: markup ends none, but may change what is in it.
package enum MarkdownScript {
    /// The silence for a line across.
    package static let breakLength = Duration.milliseconds(1_500)

    /// The name of the library that reads Markdown.
    package static let library = String(cString: synth_markdown_library)

    /// Loads what reads Markdown, as the first document would.
    ///
    /// - Returns: its name.
    /// - Throws: `libraryNotLoaded`.
    package static func loadLibrary() throws(ScriptError) -> String { try MarkdownLibrary.loaded().name }

    /// - Parameters:
    ///   - document: UTF-8, at most 16 MiB, with or without a byte order mark.
    ///   - tokens: whether tokens in brackets are read.
    /// - Returns: the parts in order; nothing for a document without words. The work is linear.
    /// - Throws: `libraryNotLoaded`; other reasons for a document that is no text or too long, is nested too deep, has more than
    ///   four million lines and signs, a table that is much larger than what is written, or a token that cannot be read.
    package static func parts(
        of document: Span<UInt8>, tokens: Bool = false
    ) throws(ScriptError) -> [ScriptPart] {
        var reader = try MarkdownScriptReader(document.bytes(of: 0..<document.count), tokens: tokens)
        return try reader.rest()
    }

    /// Opens the library, which a process without rights cannot do later.
    ///
    /// - Throws: `libraryNotLoaded`.
    package static func open() throws(ScriptError) { _ = try MarkdownLibrary.loaded() }

    /// The same parts, read as they are needed. The document is checked before.
    package static func reader(of document: [UInt8], tokens: Bool) throws(ScriptError) -> some ScriptReader {
        try MarkdownScriptReader(document, tokens: tokens)
    }
}

/// Makes parts of one block of a document after the other.
struct MarkdownScriptReader: ScriptReader {
    private let document: [UInt8]
    private var blocks: MarkdownBlocks
    private var tokens: TokenReader?
    private var ready = ScriptPartList([])
    private var hasSaid = false
    private var isAtEnd = false

    init(_ document: [UInt8], tokens: Bool) throws(ScriptError) {
        _ = try ScriptDocument.check(document.span)
        self.document = document
        blocks = try MarkdownBlocks(document)
        self.tokens = tokens ? TokenReader() : nil
    }

    mutating func next() throws(ScriptError) -> ScriptPart? {
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

    /// Nothing is heard of pauses and lines across before the first words.
    private mutating func parts(of block: MarkdownBlock) throws(ScriptError) -> [ScriptPart] {
        var parts: [ScriptPart] = []
        if hasSaid {
            if let pause = block.pause { parts.append(.end(pause)) }
            if let rule = block.rule { parts.append(.silence(MarkdownScript.breakLength, source: rule)) }
        }
        let document = document
        var text = block.number
        text.append(block.text)
        let said =
            try tokens?.parts(of: text.mapped, in: document.span, literal: text.literal)
            ?? [.text(ScriptText(text.mapped.text, source: text.mapped.source))]
        if !said.isEmpty { hasSaid = true }
        return parts + said
    }
}

/// The settings at the head of a document that programs read and nobody hears.
enum FrontMatter {
    /// Where the text begins after settings in YAML: a first line `---`, a line that is not empty, and a later line `---` or
    /// `...`. Without all of these, where it began.
    static func end(of document: Span<UInt8>, from start: Int) -> Int {
        var line = line(at: start, of: document)
        guard isLine("---", line.text, document) else { return start }
        var isFirst = true
        while line.next < document.count {
            line = self.line(at: line.next, of: document)
            if isFirst, isLine("", line.text, document) { return start }
            isFirst = false
            if isLine("---", line.text, document) || isLine("...", line.text, document) { return line.next }
        }
        return start
    }

    private static func line(at start: Int, of document: Span<UInt8>) -> (text: Range<Int>, next: Int) {
        var end = start
        while end < document.count, document[end] != 0x0A, document[end] != 0x0D { end += 1 }
        var next = min(end + 1, document.count)
        if end < document.count, document[end] == 0x0D, next < document.count, document[next] == 0x0A { next += 1 }
        return (start..<end, next)
    }

    private static func isLine(_ text: StaticString, _ line: Range<Int>, _ document: Span<UInt8>) -> Bool {
        var end = line.upperBound
        while end > line.lowerBound, document[end - 1] == 0x20 || document[end - 1] == 0x09 { end -= 1 }
        guard end - line.lowerBound == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes in
            bytes.indices.allSatisfy { bytes[$0] == document[line.lowerBound + $0] }
        }
    }
}
