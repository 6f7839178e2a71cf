import Testing

@testable import synthhost_read
@testable import SynthDocuments

@Suite("Files of a book")
struct BookArchiveTests {
    /// A page's name in the package document and in the archive.
    static let names: [(reference: String, member: String)] = [
        ("Kapitel ü.xhtml", "Kapitel ü.xhtml"), ("一.xhtml", "一.xhtml"), ("Kapitel%20%C3%BC.xhtml", "Kapitel ü.xhtml"),
        ("a%20b.xhtml", "a%20b.xhtml"), ("a%20b.xhtml", "a b.xhtml"), ("a b.xhtml", "a%20b.xhtml"),
        ("Глава 1.xhtml", "Глава 1.xhtml"), ("cafe\u{301}.xhtml", "caf\u{E9}.xhtml"), ("Upper.xhtml", "upper.XHTML"),
        ("/OEBPS/one.xhtml", "one.xhtml"), ("../OEBPS/one.xhtml", "one.xhtml"), ("one", "one"), ("one.php", "one.php"),
    ]

    @Test("Files are found, regardless of their names", arguments: names, [false, true])
    func find(name: (reference: String, member: String), isMarked: Bool) throws {
        var book = TestBook(["<p>a</p>", "<p>b</p>"])
        book.isMarked = isMarked
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing("text/page2.xhtml", with: name.reference)
        book["OEBPS/\(name.member)"] = book["OEBPS/text/page2.xhtml"]
        book["OEBPS/text/page2.xhtml"] = nil
        let document = try book.read()
        #expect(document.outline == ["# -", "p a", "# -", "p b"] && document.missing == nil)
    }

    @Test("Missing files are reported")
    func missing() throws {
        var book = TestBook(["<p>a</p>", "<p>b</p>"])
        book["OEBPS/text/page2.xhtml"] = nil
        #expect(try book.read().missing == ["OEBPS/text/page2.xhtml"])
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing(
            "</spine>", with: #"<itemref idref="gone"/></spine>"#)
        #expect(try book.read().missing == ["OEBPS/text/page2.xhtml", "gone"])
        // An image in the spine contains no text, so it is not reported as missing.
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing("idref=\"gone\"", with: "idref=\"p\"")
            .replacing("</manifest>", with: #"<item id="p" href="p.png" media-type="image/png"/></manifest>"#)
        book["OEBPS/p.png"] = "x"
        #expect(try book.read().missing == ["OEBPS/text/page2.xhtml"])
    }

    @Test("The package document may be unreferenced or contain unescaped characters")
    func repairs() throws {
        var book = TestBook(["<p>a</p>"])
        for container in [nil, "<container", TestBook.container("../../etc/passwd"), TestBook.container("gone.opf")] {
            book["META-INF/container.xml"] = container
            #expect(try book.read().outline == ["# -", "p a"])
        }
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing("Small", with: "Salt & Pepper &amp; &eacute; & co.")
        #expect(try book.read().title == "Salt & Pepper & é & co.")
    }

    private static func entry(_ title: String, _ target: String, _ inner: String = "") -> String {
        #"<li><a href="\#(target)">\#(title)</a>\#(inner)</li>"#
    }

    @Test("If a page has no text, its title is not used for another page")
    func emptyPages() throws {
        let book = TestBook(
            ["<img src=\"c.jpg\" alt=\"cover\"/>", "<h1>One</h1><p>a</p>", "<p> </p>", "<p>b</p>"],
            contents: Self.entry("Cover", "text/page1.xhtml") + Self.entry("One", "text/page2.xhtml")
                + Self.entry("Blank", "text/page3.xhtml") + Self.entry("Two", "text/page4.xhtml"))
        #expect(try book.read().outline == ["# One", "h1 One", "p a", "# Two", "p b"])
        let end = TestBook(
            ["<p>a</p><a id=\"end\"></a>", "<p>b</p>"],
            contents: Self.entry("A", "text/page1.xhtml") + Self.entry("End", "text/page1.xhtml#end")
                + Self.entry("B", "text/page2.xhtml"))
        #expect(try end.read().outline == ["# A", "p a", "# B", "p b"])
    }

    @Test("Chapter levels match the table of contents, and a part that begins with a chapter has both names")
    func levels() throws {
        let inner = "<ol>\(Self.entry("The Sea", "text/page1.xhtml"))\(Self.entry("The Land", "text/page2.xhtml"))</ol>"
        let book = TestBook(
            ["<p>a</p>", "<p>b</p>", "<p>c</p>"],
            contents: Self.entry("Part I", "text/page1.xhtml", inner) + Self.entry("Part II", "text/page3.xhtml"))
        let chapters = try book.read().chapters
        #expect(chapters.map(\.title) == ["Part I. The Sea", "The Land", "Part II"])
        #expect(chapters.map(\.level) == [1, 2, 1])
    }

    @Test("Entries at the third level are chapters if they have files of their own or are long, and otherwise sections")
    func thirdLevel() throws {
        func contents(_ target: String) -> String {
            let sections = (1...3).map { Self.entry("Chapter \($0)", target.replacing("*", with: "\($0)")) }.joined()
            return Self.entry(
                "Volume", "text/page1.xhtml",
                "<ol>\(Self.entry("Book", "text/page2.xhtml", "<ol>\(sections)</ol>"))</ol>")
        }
        let own = TestBook(
            ["<p>a</p>", "<p>b</p>"] + (1...3).map { "<p>c\($0)</p>" },
            contents: (1...3).reduce(contents("text/page*.xhtml")) {
                $0.replacing("page\(4 - $1).xhtml\">Chapter", with: "page\(6 - $1).xhtml\">Chapter")
            })
        #expect(try own.read().chapters.map(\.title) == ["Volume", "Book", "Chapter 1", "Chapter 2", "Chapter 3"])
        for count in [20, 2000] {
            let text = String(repeating: "word ", count: count)
            let pages = ["<p>a</p>", "<p>b</p>" + (1...3).map { "<p id=\"s\($0)\">\(text)</p>" }.joined()]
            let titles = try TestBook(pages, contents: contents("text/page2.xhtml#s*")).read().chapters.map(\.title)
            #expect(titles == ["Volume", "Book"] + (count == 20 ? [] : ["Chapter 1", "Chapter 2", "Chapter 3"]))
        }
    }

    // MARK: - Front matter

    /// Front matter pages, and their kinds.
    static let pages: [(html: String, matter: Document.FrontMatter?)] = [
        ("<p>Copyright © 2020 Ann Lee</p><p>All rights reserved.</p><p>ISBN 978-3-16-148410-0</p>", .copyright),
        ("<p>10 9 8 7 6 5 4 3 2 1</p><p>© Ann</p>", .copyright),
        ("<p>© 2020 Verlag AG. Alle Rechte vorbehalten.</p>", .copyright),
        ("<p>For my mother</p>", .dedication), ("<p>To A. L.,<br/>who knew</p>", .dedication),
        ("<p>Für Anna</p>", .dedication),
        ("<h1>Dedication</h1><p>My friends.</p>", .dedication), ("<h1>Small</h1><p>Ann Lee</p>", .titlePage),
        ("<h1>Contents</h1><p>One</p><p>Two</p>", .contents),
        (
            "<p><a href=\"page2.xhtml\">One</a></p><p><a href=\"page2.xhtml\">Two</a></p><p><a href=\"page2.xhtml\">Three</a></p>"
                + "<p><a href=\"page2.xhtml\">Four</a></p><p><a href=\"page2.xhtml\">Five</a></p>", .contents
        ),
        ("<section epub:type=\"copyright-page\"><p>Words.</p></section>", .copyright),
        ("<div class=\"pg-boilerplate\" id=\"pg-header\"><p>Any words.</p></div>", .license),
        ("<p>The Project Gutenberg License: the use of anyone anywhere.</p>", .license),
        ("<h1>Preface</h1><p>To write this book took ten years.</p>", nil), ("<p>“To be,” he said.</p>", nil),
        (
            "<h1>Chapter 1</h1><p>For years nobody came.</p><p>\(String(repeating: "Then it rained. ", count: 30))</p>",
            nil
        ),
    ]

    @Test("Front matter is recognized by its content", arguments: pages)
    func frontMatter(html: String, matter: Document.FrontMatter?) throws {
        let long = "<p>\(String(repeating: "It was a long day. ", count: 200))</p>"
        let blocks = try TestBook([html, long]).read().chapters.flatMap(\.blocks)
        #expect(blocks.dropLast().allSatisfy { $0.matter == matter } && blocks.last?.matter == nil)
    }

    @Test("Front matter is recognized by landmarks and by the guide")
    func landmarks() throws {
        var book = TestBook(["<p>Words.</p>", "<p>More.</p>"], contents: Self.entry("A", "text/page2.xhtml"))
        book["OEBPS/nav.xhtml"] = book["OEBPS/nav.xhtml"]?.replacing(
            "</body>",
            with:
                "<nav epub:type=\"landmarks\"><ol><li><a epub:type=\"dedication\" href=\"text/page1.xhtml\">x</a></li></ol></nav></body>"
        )
        #expect(try book.read().chapters.flatMap(\.blocks).map(\.matter) == [.dedication, nil])
        var old = TestBook(["<p>Words.</p>", "<p>More.</p>"])
        old["OEBPS/book.opf"] = old["OEBPS/book.opf"]?.replacing(
            "</package>",
            with: "<guide><reference type=\"copyright-page\" href=\"text/page1.xhtml\"/></guide></package>")
        #expect(try old.read().chapters.flatMap(\.blocks).map(\.matter) == [.copyright, nil])
    }

    @Test("The license text of public archives is recognized, even in plain text")
    func license() throws {
        let text =
            "The Project Gutenberg eBook of X\n\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\nThe Sea\n\nCopyright 1920 by Ann. All "
            + "rights reserved.\n\nCONTENTS\n\n  The Boat . . . . 3\n  The Land . . . . 9\n\nCHAPTER I\n\nIt was late.\n\nCHAPTER II\n\nIt "
            + "was dark.\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\n\nLicense.\n"
        let blocks = try Document.read(Array(text.utf8)).chapters.flatMap(\.blocks)
        #expect(
            blocks.map { $0.matter?.rawValue ?? "-" } == [
                "license", "license", "-", "copyright", "contents", "contents", "-", "-", "-", "-", "license",
                "license",
            ])
    }

    // MARK: - Languages

    private static let german = "Es war einmal ein König, der hatte drei Söhne, und er liebte sie nicht. "

    /// A book's declared language and its text, and the resulting language.
    static let languages: [(declared: String, text: String, language: String?)] = [
        ("en", "Anything.", "en"), ("en_US", "Anything.", "en-US"), ("eng", "Anything.", "en"),
        ("English", "Anything.", "en"),
        ("ger", german, "de"), ("de-AT", german, "de-AT"), ("", german, "de"), ("und", german, "de"),
        ("mul", german, "de"),
        ("UND", "Il était une fois un roi qui avait trois fils, et il les aimait tous dans ce pays.", "fr"),
        ("en", String(repeating: german, count: 20), "de"),
        ("de", String(repeating: "It was the best of times and he was glad that she had it. ", count: 20), "en"),
        ("en", "Жил-был король, и было у него три сына.", "ru"), ("", "Він був її другом і жив у місті.", "uk"),
        ("", "東京駅で会いました。", "ja"), ("ja", "第一章。東京駅。", "ja"), ("", "第一章 他们在北京见面了。", "zh"), ("", "밤이었다. 그는 혼자였다.", "ko"),
        ("uk", "Жил был король.", "uk"),
        ("nb", String(repeating: "Det var en gang en konge og han var ikke glad. ", count: 20), "nb"),
        ("la", String(repeating: "Gallia est omnis divisa in partes tres. ", count: 30), "la"), ("", "Xyz.", nil),
        ("en", "Bonjour, dit-il.", "en"),
    ]

    @Test("The language is taken from the book's declaration or, failing that, detected", arguments: languages)
    func tell(declared: String, text: String, language: String?) throws {
        let book = TestBook(
            ["<p>\(text)</p>"], metadata: "<dc:title>T</dc:title><dc:language>\(declared)</dc:language>")
        #expect(try book.read().language == language)
    }

    @Test("Programs and data files are not documents")
    func programs() {
        let python =
            "import os\n\ndef main(path):\n    names = os.listdir(path)\n    for name in names:\n        print(name)\n    return len(names)\n\nif __name__ == \"__main__\":\n    main(\".\")\n    x = main(\"..\")\n    y = x == 3\n"
        let json = "{\n" + (0..<20).map { "  \"key\($0)\": [\($0)]," }.joined(separator: "\n") + "\n}\n"
        for text in [python, json, "#!/bin/sh\necho x\n", "<?xml version=\"1.0\"?><a>b</a>"] {
            #expect(throws: DocumentFailure.unknownFormat, "\(text)") { try Document.read(Array(text.utf8)) }
        }
        let notes = "# Notes\n\n- [ ] buy milk (2 l)\n- call Ann;\n- import the pictures\n\nx = 3 is what he wrote.\n"
        #expect(throws: Never.self) { try Document.read(Array(notes.utf8)) }
    }
}
