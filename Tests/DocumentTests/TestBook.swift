import CSynthArchive
import Foundation
import SynthSystem
import TestSupport

@testable import synthhost_read
@testable import SynthDocuments

/// A book that is created and read by a test.
struct TestBook {
    /// The book's text files, in order.
    var members: [(name: String, text: String)] = []
    /// Binary files, which follow the text files.
    var pictures: [(name: String, bytes: [UInt8])] = []
    var isPacked = true
    /// Whether names are marked as UTF-8.
    var isMarked = false

    /// An EPUB 3 book with the given pages (`page1.xhtml` and so on) in its spine, and an optional table of contents.
    init(
        _ pages: [String], contents: String? = nil,
        metadata: String = "<dc:title>Small</dc:title><dc:language>en</dc:language>"
    ) {
        let names = pages.indices.map { "page\($0 + 1).xhtml" }
        let items = names.map { #"<item id="\#($0)" href="text/\#($0)" media-type="application/xhtml+xml"/>"# }.joined()
        let references = names.map { #"<itemref idref="\#($0)"/>"# }.joined()
        let nav =
            contents == nil
            ? "" : #"<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>"#
        members = [
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", Self.container("OEBPS/book.opf")),
            (
                "OEBPS/book.opf",
                #"<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" version="3.0">"#
                    + "<metadata>\(metadata)</metadata><manifest>\(items)\(nav)</manifest><spine>\(references)</spine></package>"
            ),
        ]
        if let contents {
            members.append(
                ("OEBPS/nav.xhtml", Self.page(#"<nav epub:type="toc"><ol>\#(contents)</ol></nav>"#)))
        }
        members += zip(names, pages).map { ("OEBPS/text/\($0)", Self.page($1)) }
    }

    static func container(_ path: String) -> String {
        #"<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>"#
            + #"<rootfile full-path="\#(path)" media-type="application/oebps-package+xml"/></rootfiles></container>"#
    }

    static func page(_ body: String) -> String {
        #"<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" "#
            + #"xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Not read</title></head><body>\#(body)</body></html>"#
    }

    subscript(name: String) -> String? {
        get { members.first { $0.name == name }?.text }
        set {
            members.removeAll { $0.name == name }
            if let newValue { members.append((name, newValue)) }
        }
    }

    /// The book as a ZIP archive.
    var bytes: [UInt8] {
        guard let archive = archive_write_new(), let entry = archive_entry_new() else { return [] }
        defer {
            archive_entry_free(entry)
            archive_write_free(archive)
        }
        archive_write_set_format_zip(archive)
        if !isPacked { archive_write_zip_set_compression_store(archive) }
        let members = members.map { ($0.name, Array($0.text.utf8)) } + pictures
        let sizes = members.map(\.1.count).reduce(0, +)
        var bytes = [UInt8](repeating: 0, count: sizes + 1000 * members.count + 10_000)
        var used = 0
        archive_write_open_memory(archive, &bytes, bytes.count, &used)
        for (name, content) in members {
            archive_entry_clear(entry)
            archive_entry_set_pathname(entry, name)
            archive_entry_set_filetype(entry, 0o100000)
            archive_entry_set_perm(entry, 0o644)
            archive_entry_set_size(entry, Int64(content.count))
            archive_write_header(archive, entry)
            archive_write_data(archive, content, content.count)
        }
        archive_write_close(archive)
        var whole = Array(bytes.prefix(used))
        guard isMarked else { return whole }
        for place in whole.indices.dropLast(12) where whole[place...].starts(with: [0x50, 0x4B]) {
            // The flag is in the local file headers and in the central directory.
            if whole[(place + 2)...].starts(with: [3, 4]) { whole[place + 7] |= 8 }
            if whole[(place + 2)...].starts(with: [1, 2]) { whole[place + 9] |= 8 }
        }
        return whole
    }

    func read() throws(DocumentFailure) -> Document { try Document.read(bytes) }
}

extension Document {
    /// Reads a document in this process.
    static func read(
        _ bytes: [UInt8], as form: DocumentForm? = nil, _ extras: Set<DocumentExtra> = [.cover]
    ) throws(DocumentFailure) -> Document {
        guard let folder = try? TemporaryFolder(),
            (try? Data(bytes).write(to: URL(filePath: "\(folder.path)/document"))) != nil,
            let file = try? Descriptor.open("\(folder.path)/document", O_RDONLY)
        else { throw .program(.died) }
        var document = Document()
        try DocumentReader.read(file: file.raw, as: form, extras) { message in
            switch message {
            case .head(let head): document = head
            case .chapter(let chapter): document.chapters.append(chapter)
            case .done, .failed: break
            }
        }
        withExtendedLifetime((folder, file)) {}
        return document
    }

    /// One line per chapter and block, such as "# One", "h1 One", "p Text.".
    var outline: [String] {
        chapters.flatMap { chapter in ["# \(chapter.title ?? "-")"] + chapter.blocks.map(\.outline) }
    }
}

extension Document.Block {
    var outline: String {
        let mark =
            switch kind {
            case .heading(let level): "h\(level)"
            case .paragraph: "p"
            case .item(let depth, let number): "\(String(repeating: "-", count: depth))\(number.map { "\($0)." } ?? "")"
            case .row: "row"
            case .figure: "figure"
            case .code: "code"
            case .scene: "scene"
            }
        let spoken = passages.map { passage in
            " [\(passage.language): \(String(decoding: Array(text.utf8)[passage.range], as: UTF8.self))]"
        }.joined()
        if kind == .scene { return mark }
        return mark + (isQuoted ? " quoted" : "") + (language.map { " \($0)" } ?? "")
            + " \(text.replacing("\n", with: "⏎"))" + spoken
    }
}
