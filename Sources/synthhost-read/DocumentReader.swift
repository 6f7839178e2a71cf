import CSynthXML
import Glibc
package import SynthDocuments
import SynthScript
import SynthSystem

/// Reads a document of any supported format.
package enum DocumentReader {
    /// The maximum size of a document that consists of a single text file.
    private static let largest = MarkupTree.largest

    /// Opens resources in advance, because a confined process cannot open them.
    package static func open() { ReaderLocale.open() }

    /// Reads a document from an open file. Detects the format from the content.
    ///
    /// - Parameters:
    ///   - file: the document, open for reading and positioned at its start.
    ///   - facts: the descriptor from which a PDF's metadata (`PDFFacts`) is read. Ignored for other documents.
    ///   - form: the format implied by the file name, or nil to use only the content.
    ///   - extras: the optional parts to read.
    ///   - say: receives the head and then the chapters, in order.
    package static func read(
        file: Int32, facts: Int32 = -1, as form: DocumentForm?, _ extras: Set<DocumentExtra> = [],
        _ say: (DocumentMessage) -> Void
    ) throws(DocumentFailure) {
        xmlInitParser()
        var beginning = [UInt8](repeating: 0, count: 1024)
        let count = pread(file, &beginning, beginning.count, 0)
        // `pread` fails on a pipe. An archive cannot be read from a pipe, because a pipe is not seekable.
        beginning = count > 0 ? Array(beginning.prefix(count)) : []
        var head: Document
        var chapters: [Document.Chapter]
        if form == .printed {
            let pdf = try printed(file, facts, extras)
            (head, chapters) = (pdf.head, pdf.chapters().withLevels)
        } else if beginning.starts(with: Array("PK\u{3}\u{4}".utf8)) {
            (head, chapters) = try packed(file, extras)
        } else {
            let bytes = try content(of: file)
            if let format = ForeignFormat(beginning: bytes) { throw .foreign(format) }
            if bytes.starts(with: Array("%PDF-".utf8)) { throw .unknownFormat }
            if form == .markdown, let page = Self.markdown(bytes, extras) {
                (head, chapters) = (page.head, page.chapters())
                FrontMatterSearch.mark(&chapters)
            } else if form == .fictionBook || FictionBookReader.isFictionBook(bytes) {
                let book = try FictionBookReader(bytes, extras)
                (head, chapters) = (book.head, book.chapters.withLevels)
            } else if form == .page || Self.looksLikePage(bytes) {
                guard let tree = try MarkupTree.page(bytes) else { throw .empty }
                let page = try PageReader(tree, withNotes: extras.contains(.notes))
                (head, chapters) = (page.head, page.chapters())
                FrontMatterSearch.mark(&chapters)
            } else {
                // Text with a NUL byte near the beginning must be UTF-16.
                let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
                guard isWide || !bytes.prefix(1024).contains(0) else { throw .unknownFormat }
                let reader = PlainTextReader(bytes)
                guard !SourceText.isProgram(reader.text) else { throw .unknownFormat }
                (head, chapters) = (Document(), reader.chapters(withNotes: extras.contains(.notes)))
                FrontMatterSearch.mark(&chapters)
            }
        }
        guard chapters.contains(where: { $0.words > 0 }) else { throw .empty }
        head.language = LanguageGuess.language(declared: head.language, chapters)
        for index in chapters.indices { chapters[index].leaveOutLanguage(head.language) }
        say(.head(head))
        for chapter in chapters { say(.chapter(chapter)) }
    }

    /// Reads a ZIP archive, such as an EPUB.
    private static func packed(
        _ file: Int32, _ extras: Set<DocumentExtra>
    ) throws(DocumentFailure) -> (Document, [Document.Chapter]) {
        let archive = try BookArchive(file: file)
        let names = archive.names
        if let path = WordReader.main(archive) {
            let document = try WordReader(archive, path, extras)
            return (document.head, document.chapters.withLevels)
        }
        if let name = names.first(where: { $0.lowercased().hasSuffix(".fb2") }), !names.contains("mimetype"),
            let bytes = BookPath(name).flatMap({ archive[$0] })
        {
            let book = try FictionBookReader(bytes, extras)
            return (book.head, book.chapters.withLevels)
        }
        if !names.contains("META-INF/container.xml") || names.contains("content.xml"),
            let format = ForeignFormat(beginning: [], members: Array(names))
        {
            throw .foreign(format)
        }
        let book = try EPUBReader(file: file, archive, extras)
        return (book.head, try book.chapters())
    }

    /// Reads a PDF from the output of poppler's programs.
    private static func printed(
        _ file: Int32, _ facts: Int32, _ extras: Set<DocumentExtra>
    ) throws(DocumentFailure) -> PDFReader {
        var (pages, bytes) = (PrintedPages(), 0)
        try read(file) { piece throws(DocumentFailure) in
            bytes += piece.count
            guard bytes <= PrintedPages.maximumBytes else { throw .tooLarge }
            try pages.append(piece)
        }
        try pages.finish()
        var told: [UInt8] = []
        if facts >= 0 {
            try read(facts) { piece throws(DocumentFailure) in if told.count < 1 << 16 { told += piece } }
        }
        let facts = PDFFacts(told)
        if facts.isLocked { throw .locked }
        guard pages.pages.contains(where: { !$0.fragments.isEmpty }) else { throw facts.pages > 0 ? .scanned : .empty }
        return try PDFReader(pages, facts: facts, withNotes: extras.contains(.notes))
    }

    /// Returns nil if the text cannot be parsed as Markdown.
    private static func markdown(_ bytes: [UInt8], _ extras: Set<DocumentExtra>) -> PageReader? {
        let text = Array(PlainTextReader(bytes).text.utf8)
        return (try? MarkdownPage(text, withNotes: extras.contains(.notes))).map { PageReader(blocks: $0.blocks) }
    }

    private static func looksLikePage(_ bytes: [UInt8]) -> Bool {
        let beginning = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased().drop(while: \.isWhitespace)
        return beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html")
            || beginning.hasPrefix("<?xml")
                && beginning.contains("<html")
    }

    private static func content(of file: Int32) throws(DocumentFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(file) { piece throws(DocumentFailure) in
            bytes += piece
            guard bytes.count <= largest else { throw .tooLarge }
        }
        return bytes
    }

    private static func read(
        _ file: Int32, _ take: (ArraySlice<UInt8>) throws(DocumentFailure) -> Void
    ) throws(DocumentFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count: Int
            do {
                count = try Errno.check { Glibc.read(file, buffer.baseAddress, buffer.count) }
            } catch {
                throw .damaged("caused a read error (\(error))")
            }
            if count == 0 { return }
            try take(Array(buffer[..<count])[...])
        }
    }
}

extension Document.Chapter {
    /// Clears the language of blocks that are in the document's main language.
    fileprivate mutating func leaveOutLanguage(_ language: String?) {
        guard let main = language.map(LanguageTag.primary) else { return }
        func isMain(_ other: String) -> Bool { LanguageTag.primary(other) == main }
        for index in blocks.indices {
            if let own = blocks[index].language, isMain(own) { blocks[index].language = nil }
            if blocks[index].language == nil { blocks[index].passages.removeAll { isMain($0.language) } }
        }
    }
}

extension [Document.Chapter] {
    /// The chapters, where each chapter that starts with a heading takes the level of that heading.
    fileprivate var withLevels: [Document.Chapter] {
        map { chapter in
            guard case .heading(let level) = chapter.blocks.first?.kind else { return chapter }
            var chapter = chapter
            chapter.level = level
            return chapter
        }
    }
}
