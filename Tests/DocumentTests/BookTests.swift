import Foundation
import Testing
import TestNumbers

@testable import synthhost_read
@testable import SynthDocuments

@Suite("Books")
struct BookTests {
    private static func entry(_ title: String, _ target: String, _ inner: String = "") -> String {
        #"<li><a href="\#(target)">\#(title)</a>\#(inner)</li>"#
    }

    @Test("A book consists of the chapters in its table of contents and the text before them")
    func contents() throws {
        let book = TestBook(
            ["<p>Printed here</p>", "<h2>I</h2><p>a</p><h2 id=\"two\">II</h2><p>b</p>", "<p>c</p>"],
            contents: Self.entry("The First", "text/page2.xhtml") + Self.entry("The Second", "text/page2.xhtml#two"))
        #expect(
            try book.read().outline == [
                "# -", "p Printed here", "# The First", "h2 I", "p a", "# The Second", "h2 II", "p b", "p c",
            ])
    }

    @Test("Chapters within parts are also chapters, but deeper sections are not")
    func nested() throws {
        let deepest = "<ol>\(Self.entry("Section", "text/page2.xhtml#s"))</ol>"
        let inner = "<ol>\(Self.entry("Chapter", "text/page2.xhtml", deepest))</ol>"
        let book = TestBook(
            ["<p>a</p>", "<p>b</p><p id=\"s\">c</p>"], contents: Self.entry("Part", "text/page1.xhtml", inner))
        #expect(try book.read().outline == ["# Part", "p a", "# Chapter", "p b", "p c"])
    }

    @Test("Chapters are found even if the table of contents omits folder names")
    func folders() throws {
        let book = TestBook(
            ["<p>a</p>", "<p>b</p>"], contents: Self.entry("A", "page1.xhtml") + Self.entry("B", "wrong/page2.xhtml"))
        #expect(try book.read().outline == ["# A", "p a", "# B", "p b"])
    }

    @Test("Without a table of contents, each file is a chapter, named after its first heading")
    func files() throws {
        #expect(
            try TestBook(["<h1>One</h1><p>a</p>", "<p>b</p>"]).read().outline
                == ["# One", "h1 One", "p a", "# -", "p b"])
    }

    @Test("A book's identifiers are read, up to a limit")
    func identifiers() throws {
        let metadata =
            "<dc:title>Small</dc:title><dc:identifier>urn:isbn:9780306406157</dc:identifier><dc:identifier> </dc:identifier>"
            + "<dc:identifier>\(String(repeating: "x", count: 1000))</dc:identifier>"
            + (1...40).map { "<dc:identifier> id-\($0) </dc:identifier>" }.joined()
        let found = try TestBook(["<p>a</p>"], metadata: metadata).read().identifiers
        #expect(found == ["urn:isbn:9780306406157"] + (1...15).map { "id-\($0)" })
        #expect(try TestBook(["<p>a</p>"]).read().identifiers?.isEmpty != false)
    }

    @Test("In EPUB 2, the table of contents is read from the NCX file")
    func ncx() throws {
        var book = TestBook(["<p>a</p>", "<p>b</p>"])
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing(
            "</manifest><spine>",
            with: #"<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine toc="ncx">"#)
        book["OEBPS/toc.ncx"] =
            #"<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Alpha</text></navLabel>"#
            + #"<content src="text/page1.xhtml"/></navPoint><navPoint><navLabel><text>Beta</text></navLabel>"#
            + #"<content src="text/page2.xhtml"/></navPoint></navMap></ncx>"#
        #expect(try book.read().outline == ["# Alpha", "p a", "# Beta", "p b"])
    }

    @Test("A book has a title, authors and a language")
    func head() throws {
        let metadata =
            "<dc:title> Two\n words </dc:title><dc:title>Other</dc:title><dc:creator>Ann</dc:creator>"
            + "<dc:creator>Bob</dc:creator><dc:language>de-AT</dc:language>"
        let document = try TestBook(["<p lang=\"de-AT\">x</p>"], metadata: metadata).read()
        #expect(document.title == "Two words" && document.authors == ["Ann", "Bob"] && document.language == "de-AT")
        #expect(document.chapters[0].blocks[0].language == nil)
    }

    @Test("The cover is found in both EPUB versions, provided that it is an image")
    func cover() throws {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
        func read(_ meta: String, _ properties: String, _ bytes: [UInt8]) throws -> Document {
            var book = TestBook(["<p>x</p>"])
            let item = #"<item id="c" href="Cover.jpg" media-type="image/jpeg" properties="\#(properties)"/>"#
            book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing("<manifest>", with: "<manifest>\(item)")
                .replacing("<metadata>", with: "<metadata>\(meta)")
            book.pictures = [("OEBPS/cover.JPG", bytes)]
            return try book.read()
        }
        let named = #"<meta name="cover" content="c"/>"#
        #expect(try read("", "cover-image", jpeg).cover?.bytes == jpeg)
        #expect(try read(named, "", jpeg).cover?.type == "image/jpeg")
        #expect(try read(named, "", Array("<svg/>".utf8)).cover == nil)
        #expect(try read("", "", jpeg).cover == nil)
        #expect(try read(named, "", jpeg + [UInt8](repeating: 7, count: 9 << 20)).cover == nil)
    }

    @Test("In Markdown, each heading starts a chapter, notes are omitted, and text in embedded HTML is read")
    func markdown() throws {
        let text =
            "# One\n\nA *b* & c[^n].\n\n* x\n* y\n\n|A|B|\n|-|-|\n|1|2|\n\n# Two\n\n<div>d</div>\n\n> e\n\n[^n]: Not read.\n"
        let document = try Document.read(Array(text.utf8), as: .markdown)
        #expect(
            document.outline == [
                "# One", "h1 One", "p A b & c.", "- x", "- y", "row A, B", "row 1, 2", "# Two", "h1 Two", "p d",
                "p quoted e",
            ], "\(document.outline)")
        #expect(throws: DocumentFailure.empty) { try Document.read(Array("<!-- -->\n".utf8), as: .markdown) }
        let verse = try Document.read(
            Array("*Bright  \nburning* in\nthe night  \r\n<br>of\\\nforests\n".utf8), as: .markdown)
        #expect(verse.chapters[0].blocks.map(\.text) == ["Bright\nburning in the night\nof\nforests"])
        #expect(verse.chapters[0].blocks[0].emphasis == [0..<14])
        let scenes = try Document.read(Array("a\n\n* * *\n\nb\n\n---\n".utf8), as: .markdown)
        #expect(scenes.chapters.flatMap { $0.blocks.map(\.kind) } == [.paragraph, .scene, .paragraph])
    }

    @Test("If requested, notes follow the first reference to them, regardless of their location in the book")
    func notes() throws {
        let book = TestBook(
            [
                ##"<p>One<a epub:type="noteref" href="#n1">1</a> two<sup><a href="page2.xhtml#n2">2</a></sup>.</p>"##
                    + ##"<p>Again<a epub:type="noteref" href="#n1">1</a>.</p>"##
                    + ##"<aside epub:type="footnote" id="n1"><p><a href="#r1">1</a> The <em>first</em>.</p></aside>"##,
                ##"<h1>Notes</h1><section epub:type="endnotes"><ol><li id="n2"><p>The second.</p><p>It goes on. "##
                    + ##"<a role="doc-backlink" href="page1.xhtml#r2">back</a></p></li></ol></section>"##
                    + ##"<p>Lost<a epub:type="noteref" href="#gone">3</a> and out<a epub:type="noteref" href="http://a/#b">4</a></p>"##,
            ], metadata: "<dc:title>T</dc:title><dc:language>de</dc:language>")
        let document = try Document.read(book.bytes, [.notes])
        #expect(
            document.outline == [
                "# -", "p One two.", "p Anmerkung: The first.", "p Anmerkung: The second.", "p It goes on.", "p Again.",
                "# Notes", "h1 Notes", "p Lost and out",
            ], "\(document.outline)")
        let first = document.chapters[0].blocks[1]
        #expect(first.emphasis.map { String(decoding: Array(first.text.utf8)[$0], as: UTF8.self) } == ["first"])
        #expect(try !book.read().outline.contains { $0.contains("first") })
        func page(_ notes: String) throws -> [String] {
            let html = "<html><body><p>A<sup><a href=\"#n\">1</a></sup>.</p><p>B.</p>\(notes)</body></html>"
            return try Document.read(Array(html.utf8), as: .page, [.notes]).outline
        }
        for notes in [
            "<div class=footnotes id=footnotes><hr><ol><li id=n><p>It. <a href=#r>↩</a></p></li></ol></div>",
            "<div class=footnotes><p><a id=n href=#r>1</a> It.</p></div>",
            "<aside role=doc-footnote><p id=n>It.</p></aside>",
            "<div role=doc-endnotes id=x><aside role=doc-endnote id=n>It.</aside></div>",
        ] { #expect(try page(notes) == ["# -", "p A.", "p Note: It.", "p B."], "\(notes)") }
        let markdown = "A[^x] b.\n\nC.\n\n[^x]: It is *so*.\n"
        #expect(
            try Document.read(Array(markdown.utf8), as: .markdown, [.notes]).outline == [
                "# -", "p A b.", "p Note: It is so.", "p C.",
            ])
    }

    @Test("Each page is read exactly once and in order, regardless of the archive's structure")
    func archives() throws {
        var book = TestBook(["<p>a</p>", "<p>b</p>"])
        book.isPacked = false
        book["cover.png"] = String(repeating: "x", count: 100_000)
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing(
            "</spine>", with: #"<itemref idref="again"/><itemref idref="gone"/></spine>"#
        ).replacing(
            "</manifest>",
            with: #"<item id="again" href="text/page1.xhtml" media-type="application/xhtml+xml"/></manifest>"#
        )
        .replacing("text/page2.xhtml", with: "text/../text/%70age2.XHTML")
        #expect(try book.read().outline == ["# -", "p a", "# -", "p b"])
    }

    @Test("A page that the reading order repeats is read again, up to four times")
    func repeated() throws {
        var book = TestBook(["<p>a</p>", "<p>b</p>"])
        let again = #"<itemref idref="page2.xhtml"/>"#
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing("</spine>", with: again + again + "</spine>")
        #expect(try book.read().outline == ["# -", "p a", "# -", "p b", "# -", "p b", "# -", "p b"])
        let many = String(repeating: again, count: 1000)
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing("</spine>", with: many + "</spine>")
        #expect(try book.read().chapters.count == 5)
    }

    @Test("An encrypted book is reported as such, unless only its fonts are encrypted")
    func encryption() throws {
        func encryption(_ method: String, _ file: String) -> String {
            #"<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData><EncryptionMethod Algorithm=""#
                + method
                + #""/><CipherData><CipherReference URI="\#(file)"/></CipherData></EncryptedData></encryption>"#
        }
        var book = TestBook(["<p>a</p>"])
        book["META-INF/encryption.xml"] = encryption("http://www.idpf.org/2008/embedding", "OEBPS/font.otf")
        #expect(try book.read().outline == ["# -", "p a"])
        book["META-INF/encryption.xml"] = encryption(
            "http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/text/page1.xhtml")
        #expect(throws: DocumentFailure.encrypted) { try book.read() }
    }

    @Test("Damaged books are reported as damaged")
    func damaged() throws {
        func expectDamage(_ part: String, _ change: (inout TestBook) -> Void) {
            var book = TestBook(["<p>a</p>"])
            change(&book)
            let failure = #expect(throws: DocumentFailure.self) { try book.read() }
            guard case .damaged(let words) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(words.contains(part))
        }
        expectDamage("has no package document (META-INF/container.xml does not refer to a file in the archive)") {
            $0["OEBPS/book.opf"] = nil
        }
        expectDamage("has no package document (it has no META-INF/container.xml)") {
            $0["META-INF/container.xml"] = nil
            $0["OEBPS/book.opf"] = nil
        }
        expectDamage("has no package document (META-INF/container.xml, line 2: ") {
            $0["META-INF/container.xml"] = "<container>\n<"
            $0["OEBPS/book.opf"] = nil
        }
        expectDamage("cannot be read (OEBPS/book.opf, line 1: ") { $0["OEBPS/book.opf"] = "no XML" }
        expectDamage("cannot be read (OEBPS/book.opf, line 3: ") {
            $0["OEBPS/book.opf"] = "<package>\n<a>\n</b></package>"
        }
        #expect(throws: DocumentFailure.empty) { try TestBook([]).read() }
        #expect(throws: DocumentFailure.empty) { try TestBook(["<p> </p>", "<img src=\"a.png\"/>"]).read() }
    }

    @Test("References to external files, and entities that expand enormously, are harmless")
    func hostile() throws {
        var book = TestBook(["<p>a</p>"])
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing(
            "</manifest>",
            with: #"<item id="out" href="../../../etc/passwd"/><item id="far" href="http://a.example/b"/></manifest>"#
        ).replacing("</spine>", with: #"<itemref idref="out"/><itemref idref="far"/></spine>"#)
        #expect(try book.read().outline == ["# -", "p a"])

        let entities = (1...9).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }.joined()
        book["OEBPS/text/page1.xhtml"] =
            "<?xml version=\"1.0\"?><!DOCTYPE html [<!ENTITY e0 \"ten letters\">\(entities)"
            + "<!ENTITY file SYSTEM \"file:///etc/passwd\">]><html xmlns=\"http://www.w3.org/1999/xhtml\"><body>"
            + "<p>&e9;&file;</p><p>end</p></body></html>"
        let read = try? book.read()
        #expect(read.map { $0.chapters.reduce(0) { $0 + $1.words } < 100_000 } ?? true)
        #expect(read.map { !$0.outline.contains { $0.contains("root:") } } ?? true)
    }

    @Test("A book that exceeds the size limit is rejected, even if its archive is small")
    func bomb() throws {
        var book = TestBook(["<p>a</p>"])
        book["OEBPS/text/page2.xhtml"] = String(repeating: " ", count: MarkupTree.largest + 1)
        #expect(book.bytes.count < 200_000)
        #expect(throws: DocumentFailure.tooLarge) { try book.read() }
    }

    @Test("A book with random damage is either read or rejected")
    func mutations() throws {
        var random = SeededRandom(1)
        var whole = TestBook(
            ["<h1>One</h1><p>a</p>", "<p>b</p>"], contents: Self.entry("A", "text/page1.xhtml")
        )
        whole.isPacked = false
        let bytes = whole.bytes
        var readable = 0
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                damaged[Int.random(in: 4..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if (try? Document.read(damaged)) != nil { readable += 1 }
        }
        #expect(readable > 0 && readable < 400)
    }
}
