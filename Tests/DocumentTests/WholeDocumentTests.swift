import Foundation
import Testing

@testable import synthhost_read
@testable import SynthDocuments

/// Complete small documents (regular, unusual and malicious), in addition to the blocks in BlockReaderTests.
@Suite("Complete documents")
struct WholeDocumentTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let document: @Sendable () -> (bytes: [UInt8], form: DocumentForm?)
        let outline: [String]

        var testDescription: String { name }

        init(_ name: String, _ text: String, as form: DocumentForm? = nil, _ outline: [String]) {
            (self.name, self.outline) = (name, outline)
            document = { (Array(text.utf8), form) }
        }

        init(_ name: String, book: @escaping @Sendable () -> TestBook, _ outline: [String]) {
            (self.name, self.outline) = (name, outline)
            document = { (book().bytes, nil) }
        }
    }

    private static func entry(_ title: String, _ target: String) -> String {
        #"<li><a href="\#(target)">\#(title)</a></li>"#
    }

    static let rows: [Row] = [
        Row(
            "no table of contents", book: { TestBook(["<h1>One</h1><p>a</p>", "<p>b</p>"]) },
            ["# One", "h1 One", "p a", "# -", "p b"]),
        Row(
            "a table of contents that lists one page twice",
            book: {
                TestBook(
                    ["<p>a</p>", "<p>b</p>"],
                    contents: entry("A", "text/page1.xhtml") + entry("B", "text/page1.xhtml")
                        + entry("C", "text/page2.xhtml"))
            }, ["# A", "p a", "# C", "p b"]),
        Row(
            "a table of contents that lists a missing page and an external URL",
            book: {
                TestBook(
                    ["<p>a</p>"],
                    contents: entry("Gone", "text/gone.xhtml") + entry("Far", "http://a.example/x")
                        + entry("A", "text/page1.xhtml"))
            }, ["# A", "p a"]),
        Row(
            "a table of contents that refers to elements of a page",
            book: {
                TestBook(
                    [#"<p>before</p><h2 id="x">X</h2><p>x</p><p id="y">y</p>"#],
                    contents: entry("The X", "text/page1.xhtml#x") + entry("The Y", "text/page1.xhtml#y"))
            }, ["# -", "p before", "# The X", "h2 X", "p x", "# The Y", "p y"]),
        Row(
            "a table of contents that lists itself",
            book: { TestBook(["<p>a</p>"], contents: entry("Me", "nav.xhtml") + entry("A", "text/page1.xhtml")) },
            ["# A", "p a"]),
        Row(
            "a table of contents in the wrong order",
            book: {
                TestBook(
                    ["<p>a</p>", "<p>b</p>"],
                    contents: entry("B", "text/page2.xhtml") + entry("A", "text/page1.xhtml"))
            }, ["# A", "p a", "# B", "p b"]),
        Row(
            "fallbacks that form a cycle",
            book: {
                var book = TestBook(["<p>a</p>"])
                book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing(
                    "</manifest>",
                    with: #"<item id="p" href="p.svg" media-type="image/svg+xml" fallback="q"/><item id="q" "#
                        + #"href="q.svg" media-type="image/svg+xml" fallback="p"/></manifest>"#
                ).replacing("</spine>", with: #"<itemref idref="p"/></spine>"#)
                return book
            }, ["# -", "p a"]),
        Row(
            "two languages",
            book: {
                TestBook(
                    [#"<p>Er sagte: <i lang="en">Hello</i></p><p lang="en">Good morning.</p><p>Gut.</p>"#],
                    metadata: "<dc:title>T</dc:title><dc:language>de</dc:language>")
            }, ["# -", "p Er sagte: Hello", "p en Good morning.", "p Gut."]),
        Row(
            "right-to-left text",
            book: {
                TestBook(
                    [#"<h1 dir="rtl">פרק א</h1><p dir="rtl">שלום, עולם (טוב).</p>"#],
                    metadata: "<dc:title>ספר</dc:title><dc:language>he</dc:language>")
            }, ["# פרק א", "h1 פרק א", "p שלום, עולם (טוב)."]),
        Row(
            "Chinese", "第一章 开始\n\n天黑了。\n\n第二章 结束\n\n天亮了。\n\n第三次他走了。\n",
            ["# 第一章 开始", "h1 第一章 开始", "p 天黑了。", "# 第二章 结束", "h1 第二章 结束", "p 天亮了。", "p 第三次他走了。"]),
        Row("Korean", "제 1 장\n\n밤이었다.\n", ["# 제 1 장", "h1 제 1 장", "p 밤이었다."]),
        Row(
            "text with Windows line endings",
            "CHAPTER I\r\n\r\nOne\r\nline.\r\n\r\nCHAPTER II\r\n\r\nTwo came.\r\n",
            ["# CHAPTER I", "h1 CHAPTER I", "p One line.", "# CHAPTER II", "h1 CHAPTER II", "p Two came."]),
        Row("a single line of text", "Only this", ["# -", "p Only this"]),
        Row("lines that contain only symbols", "***\n\n* * *\n\n---\n\nText.\n", ["# -", "p Text."]),
        Row(
            "Markdown with underlined headings", "One\n===\n\na\n\nTwo\n---\n\nb\n", as: .markdown,
            ["# One", "h1 One", "p a", "h2 Two", "p b"]),
        Row("a page without headings", "<html><body><p>a<p>b<br>c</body></html>", as: .page, ["# -", "p a", "p b⏎c"]),
        Row(
            "a truncated page", "<html><body><h1>T</h1><p>a <b>bold <i>it", as: .page,
            ["# T", "h1 T", "p a bold it"]),
        Row(
            "a page with control characters", "<html>\u{1}\u{2}<p>a\u{0}b\u{FFFD}</p>", as: .page,
            ["# -", "p a b\u{FFFD}"]),
    ]

    @Test("Documents have the expected chapters and blocks", arguments: rows)
    func outline(row: Row) throws {
        let (bytes, form) = row.document()
        let outline = try Document.read(bytes, as: form).outline
        #expect(outline == row.outline)
    }

    @Test("A ten-megabyte chapter is read")
    func large() throws {
        let paragraph = "<p>" + String(repeating: "word ", count: 2000) + "</p>"
        let document = try TestBook([String(repeating: paragraph, count: 1000)]).read()
        #expect(document.chapters.map(\.words) == [2_000_000])
    }
}
