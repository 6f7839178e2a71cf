import CSynthMarkGFM
package import SynthScript

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
/// | block of code, HTML | nothing |
/// | footnote | its text where it stands, as a paragraph, also if nothing refers to it; its sign (`[^a]`) says nothing |
/// | definition of a link's address | nothing |
/// | settings at the head (`---` and YAML) | nothing |
///
/// Tokens (`TokenScript`) are read if asked for, except in code, and not where a backslash stands before the bracket. One
/// stands within a stretch of text: markup ends none, but may change what is in it.
///
/// A document is read in pieces of some 16 kB, which end at an empty line wherever they can: a tree of all of it would need
/// hundreds of times its memory. A list, a quotation or a table of more than 32 kB, and a paragraph of more than 64 kB, is in
/// several pieces: each of them is a block of its own.
package enum MarkdownScript {
    /// Of a line across.
    package static let breakLength = Duration.milliseconds(1_500)

    /// The name of the library that the program was built for, which reads Markdown.
    package static let library = String(cString: synth_cmark_library)

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
    ///   four million lines and signs, a table with more than 500 columns or one that is much larger than what is written, or a
    ///   token that cannot be read.
    package static func parts(
        of document: Span<UInt8>, tokens: Bool = false
    ) throws(ScriptError) -> [ScriptPart] {
        try read(document, tokens: tokens).parts
    }

    /// Opens the library, which a process without rights cannot do later.
    ///
    /// - Throws: `libraryNotLoaded`.
    package static func open() throws(ScriptError) { _ = try MarkdownLibrary.loaded() }

    /// The document as a page of HTML, without what of it is HTML already.
    ///
    /// - Parameter document: UTF-8.
    /// - Returns: nil if there is no memory for it.
    /// - Throws: `libraryNotLoaded`.
    package static func page(_ document: Span<UInt8>) throws(ScriptError) -> [UInt8]? {
        try MarkdownLibrary.loaded().page(document)
    }

    /// The same parts, read as they are needed. The document is checked before.
    package static func reader(of document: [UInt8], tokens: Bool) throws(ScriptError) -> some ScriptReader {
        try MarkdownScriptReader(document, tokens: tokens)
    }

    /// - Returns: also, in how many blocks the places of some words are those of the rest of the block.
    static func read(
        _ document: Span<UInt8>, tokens: Bool
    ) throws(ScriptError) -> (parts: [ScriptPart], lostBlocks: Int) {
        var reader = try MarkdownScriptReader(document.withUnsafeBufferPointer { Array($0) }, tokens: tokens)
        let parts = try reader.rest()
        return (parts, reader.lostBlocks)
    }
}

/// Reads one piece of a document after the other.
struct MarkdownScriptReader: ScriptReader {
    private let document: [UInt8]
    private let library: MarkdownLibrary
    private var pieces: MarkdownPieces
    private var state: MarkdownReader.State
    private var ready = ScriptPartList([])
    private(set) var lostBlocks = 0

    init(_ document: [UInt8], tokens: Bool) throws(ScriptError) {
        let start = FrontMatter.end(of: document.span, from: try ScriptDocument.check(document.span))
        try MarkdownGuard.check(MarkdownLines(of: document.span, from: start), of: document.span)
        library = try MarkdownLibrary.loaded()
        self.document = document
        pieces = MarkdownPieces(document, from: start)
        state = MarkdownReader.State(
            tokens: tokens ? TokenReader() : nil, entities: MarkdownEntities(library))
    }

    mutating func next() throws(ScriptError) -> ScriptPart? {
        while true {
            if let part = ready.next() { return part }
            guard let piece = pieces.next() else {
                defer { state.pause = nil }
                return state.pause.map { .end($0) }
            }
            try read(piece)
        }
    }

    private mutating func read(_ piece: MarkdownPiece) throws(ScriptError) {
        let text = piece.text(of: document)
        guard let tree = library.parse(text.span) else {
            // It makes none only without memory.
            throw ScriptError(
                .tooLong(limit: text.count), at: ScriptPlace(of: piece.lines.first?.lowerBound ?? 0, in: document.span))
        }
        var reader = MarkdownReader(
            tree, MarkdownLines(piece.lines, end: document.count), skipsHead: piece.beginsInTable, state)
        try reader.read(document.span)
        state = reader.state
        lostBlocks += reader.lostBlocks
        ready = ScriptPartList(reader.parts)
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
