import CSynthXML
import Glibc
package import SynthDocuments
import SynthMarkup
import SynthSystem

/// Reads a document of any format.
package enum DocumentReader {
    /// Of files that are one text.
    private static let largest = MarkupTree.largest

    /// Reads the document in an open file, whose format its content tells.
    ///
    /// - Parameters:
    ///   - file: open for reading, at its beginning.
    ///   - form: what its name says; nil = its content tells.
    ///   - extras: what of it is wanted besides.
    ///   - say: gets the head and the chapters, in their order.
    package static func read(
        file: Int32, as form: DocumentForm?, _ extras: Set<DocumentExtra> = [], _ say: (DocumentMessage) -> Void
    ) throws(DocumentFailure) {
        xmlInitParser()
        var beginning = [UInt8](repeating: 0, count: 1024)
        let count = pread(file, &beginning, beginning.count, 0)
        // A pipe cannot be searched, so it holds no archive that could be read.
        beginning = count > 0 ? Array(beginning.prefix(count)) : []
        let head: DocumentMessage.Head
        let chapters: [Document.Chapter]
        if beginning.starts(with: Array("PK\u{3}\u{4}".utf8)) {
            let book = try EPUBReader(file: file, extras)
            (head, chapters) = (book.head, try book.chapters())
        } else {
            let bytes = try content(of: file)
            if bytes.starts(with: Array("%PDF-".utf8)) { throw .unknownFormat }
            if form == .markdown, let page = Self.markdown(bytes, extras) {
                (head, chapters) = (page.head, page.chapters())
            } else if form == .page || Self.looksLikePage(bytes) {
                guard let tree = try MarkupTree.page(bytes) else { throw .empty }
                let page = try PageReader(tree, withNotes: extras.contains(.notes))
                (head, chapters) = (page.head, page.chapters())
            } else {
                // What has a zero in its beginning is no text in any encoding but UTF-16.
                let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
                guard isWide || !bytes.prefix(1024).contains(0) else { throw .unknownFormat }
                (head, chapters) = (DocumentMessage.Head(), PlainTextReader(bytes).chapters())
            }
        }
        guard chapters.contains(where: { $0.words > 0 }) else { throw .empty }
        say(.head(head))
        for chapter in chapters { say(.chapter(chapter)) }
    }

    /// nil = its marks cannot be read.
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
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count: Int
            do {
                count = try Errno.check { Glibc.read(file, buffer.baseAddress, buffer.count) }
            } catch {
                throw .damaged("cannot be read: \(error)")
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= largest else { throw .tooLarge }
        }
    }
}

/// Reads a page of HTML that is a document of its own.
struct PageReader {
    let head: DocumentMessage.Head
    private let blocks: [Document.Block]

    /// - Throws: `excessive`.
    init(_ tree: MarkupTree, withNotes: Bool) throws(DocumentFailure) {
        let root = tree.root
        let names = root?.descendants("meta").filter { $0.attribute("name")?.lowercased() == "author" } ?? []
        head = DocumentMessage.Head(
            title: root?.descendants("title").first.map(\.words).flatMap { $0.isEmpty ? nil : $0 },
            authors: names.compactMap { $0.attribute("content") }.filter { !$0.isEmpty },
            language: root?.attribute("lang"))
        var reader = BlockReader(language: head.language, withNotes: withNotes)
        try reader.read(tree)
        let read = reader.blocks
        let notes = reader.footnotes ?? Footnotes()
        var seen: Set<Int> = []
        let references = notes.references.compactMap { block, target -> (block: Int, note: [Document.Block])? in
            guard target.hasPrefix("#"), let number = notes.names[String(target.dropFirst())],
                seen.insert(number).inserted
            else { return nil }
            return (min(block, read.count - 1), notes.notes[number])
        }
        blocks = NotedBlocks(references, language: head.language).blocks(read, 0..<read.count)
    }

    /// A page that says nothing of itself.
    init(blocks: [Document.Block]) { (head, self.blocks) = (DocumentMessage.Head(), blocks) }

    /// A chapter begins at each heading of the level that occurs more than once, the highest of these.
    func chapters() -> [Document.Chapter] {
        var counts: [Int: Int] = [:]
        for case .heading(let level) in blocks.map(\.kind) { counts[level, default: 0] += 1 }
        let level = counts.filter { $0.value > 1 }.keys.min()
        var chapters: [Document.Chapter] = []
        for block in blocks {
            let begins = if case .heading(let own) = block.kind, let level { own <= level } else { false }
            // The title of all stands before the first chapter's.
            let isAlone = chapters.last.map { $0.blocks.allSatisfy(\.isHeading) } ?? false
            if chapters.isEmpty || begins && !isAlone { chapters.append(Document.Chapter()) }
            chapters[chapters.count - 1].blocks.append(block)
            if begins { chapters[chapters.count - 1].title = block.text }
        }
        for index in chapters.indices where chapters[index].title == nil {
            chapters[index].title = chapters[index].blocks.firstHeading
        }
        return chapters
    }
}

extension Document.Block {
    fileprivate var isHeading: Bool { if case .heading = kind { true } else { false } }
}
