import CMarkGFM

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
/// | footnote | nothing, neither its sign nor its text |
/// | definition of a link's address | nothing |
/// | settings at the head (`---` and YAML) | nothing |
///
/// Tokens (`TokenScript`) are read if asked for, except in code, and not where a backslash stands before the bracket. One
/// stands within a stretch of text: markup ends none, but may change what is in it.
package enum MarkdownScript {
    /// Of a line across.
    package static let breakLength = Duration.milliseconds(1_500)

    /// The name of the library that reads Markdown.
    package static let library = String(cString: synth_cmark_library)

    /// Loads what reads Markdown, as the first document would.
    ///
    /// - Throws: `libraryNotLoaded`.
    package static func loadLibrary() throws(MarkdownError) { _ = try MarkdownLibrary.loaded() }

    /// - Parameters:
    ///   - document: UTF-8, at most 16 MiB, with or without a byte order mark.
    ///   - tokens: whether tokens in brackets are read.
    /// - Returns: the parts in order; nothing for a document without words. The work is linear. The tree needs some 15
    ///   times the memory of a document of prose, and at most about 1.5 GB.
    /// - Throws: `libraryNotLoaded`; `script` for a document that is no text or too long, is nested too deep, has more than
    ///   four million lines and signs, a table with more than 500 columns or one that is much larger than what is written, or a
    ///   token that cannot be read.
    package static func parts(
        of document: Span<UInt8>, tokens: Bool = false
    ) throws(MarkdownError) -> [ScriptPart] {
        try read(document, tokens: tokens).parts
    }

    /// - Returns: also, in how many blocks the places of some words are those of the rest of the block.
    static func read(
        _ document: Span<UInt8>, tokens: Bool
    ) throws(MarkdownError) -> (parts: [ScriptPart], lostBlocks: Int) {
        let lines: MarkdownLines
        let start: Int
        do throws(ScriptError) {
            start = FrontMatter.end(of: document, from: try ScriptDocument.check(document))
            lines = MarkdownLines(of: document, from: start)
            try MarkdownGuard.check(lines, of: document)
        } catch {
            throw .script(error)
        }
        let library = try MarkdownLibrary.loaded()
        guard let tree = library.parse(document.extracting(start..<document.count)) else {
            throw .libraryNotLoaded(library: Self.library, reason: nil)
        }
        var reader = MarkdownReader(tree, lines, MarkdownEntities(library), tokens: tokens)
        do throws(TokenError) {
            try reader.read(document)
        } catch {
            throw .script(ScriptError(error.reason, at: ScriptPlace(of: error.offset, in: document)))
        }
        return (reader.parts, reader.lostBlocks)
    }
}
