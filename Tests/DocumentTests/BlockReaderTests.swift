import Testing

@testable import synthhost_read
@testable import SynthDocuments

@Suite("Blocks of a page")
struct BlockReaderTests {
    /// Contents of the body, and the expected blocks.
    static let table: [(html: String, blocks: [String])] = [
        ("<h1>One</h1><p>A  b\n c.</p>", ["h1 One", "p A b c."]),
        ("Bare <b>words</b>.<div>More</div>", ["p Bare words.", "p More"]),
        ("<p>Caf&eacute;&nbsp;au lait &amp; &lt;tea&gt;</p>", ["p Café au lait & <tea>"]),
        ("<p>hy\u{AD}phen</p>", ["p hyphen"]),
        ("<p>One<br/>two</p>", ["p One⏎two"]),
        ("<p>First</p><hr/><p>Second</p>", ["p First", "scene", "p Second"]),
        ("<ul><li>One</li><li>Two<ul><li>Deep</li></ul></li></ul>", ["- One", "- Two", "-- Deep"]),
        ("<ol start=\"3\"><li>C</li><li value=\"9\">I</li><li>J</li></ol>", ["-3. C", "-9. I", "-10. J"]),
        ("<ul><li><p>One</p><p>still one</p></li></ul>", ["- One", "p still one"]),
        ("<blockquote><p>Said.</p></blockquote><p>Then</p>", ["p quoted Said.", "p Then"]),
        (
            "<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td></td><td>9</td></tr></table>",
            ["row Name, Age", "row Ann, 9"]
        ),
        ("<pre>let a = 1\n  b()\n</pre>", ["code let a = 1⏎  b()"]),
        ("<p><img src=\"x.png\" alt=\"A red house\"/></p>", ["figure A red house"]),
        ("<p><img src=\"o.png\" alt=\"O\"/>nce there was</p>", ["p Once there was"]),
        ("<p><img src=\"x.png\" alt=\"\"/></p><p>x</p>", ["p x"]),
        ("<figure><img alt=\"A map\"/><figcaption>Of the sea</figcaption></figure>", ["figure A map", "p Of the sea"]),
        ("<p>Text<sup><a href=\"#n1\">1</a></sup> goes on.</p>", ["p Text goes on."]),
        ("<p>Text<a epub:type=\"noteref\" href=\"#n\">*</a>.</p>", ["p Text."]),
        ("<p>E = mc<sup>2</sup></p>", ["p E = mc²"]),
        ("<aside epub:type=\"footnote\"><p>Left out</p></aside><p>x</p>", ["p x"]),
        ("<section role=\"doc-endnotes\"><p>Left out</p></section><p>x</p>", ["p x"]),
        ("<p>a<span epub:type=\"pagebreak\">17</span>b</p>", ["p ab"]),
        ("<script>x</script><style>y</style><nav><a href=\"a\">z</a></nav><p>x</p>", ["p x"]),
        ("<p hidden=\"hidden\">no</p><p aria-hidden=\"true\">no</p><p>x</p>", ["p x"]),
        ("<p>漢<ruby>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby></p>", ["p 漢字"]),
        ("<p lang=\"fr\">Bonjour</p><p xml:lang=\"EN\">Hello</p>", ["p fr Bonjour", "p Hello"]),
        ("<p dir=\"rtl\">שלום עולם</p>", ["p שלום עולם"]),
        ("<p>He said <q>yes</q>.</p>", ["p He said “yes”."]),
        ("<h2>A<br/>B</h2><p> </p><p>\u{A0}</p>", ["h2 A B"]),
    ]

    @Test("Blocks contain the text that is spoken", arguments: table)
    func blocks(html: String, blocks: [String]) throws {
        let document = try TestBook([html]).read()
        #expect(Array(document.outline.dropFirst()) == blocks)
    }

    @Test("Emphasis is recorded as byte ranges")
    func emphasis() throws {
        let blocks = try TestBook(["<p>Ä <em>very <b>large</b></em> one, <i>yes</i></p>"]).read().chapters[0].blocks
        #expect(blocks[0].text == "Ä very large one, yes")
        #expect(blocks[0].emphasis == [3..<13, 19..<22])
    }

    @Test("Blocks record the file and line where they begin")
    func places() throws {
        let blocks = try TestBook(["<p>One</p>\n\n<p>Three</p>"]).read().chapters[0].blocks
        #expect(blocks.map(\.place.member) == ["OEBPS/text/page1.xhtml", "OEBPS/text/page1.xhtml"])
        #expect(blocks.map(\.place.line) == [1, 3])
    }

    @Test("Pages are read even if they are not well-formed")
    func soup() throws {
        let page = "<html><body><p>One<p>Two &nbsp; <b>three</p><ul><li>a<li>b</ul>"
        #expect(try Document.read(Array(page.utf8)).outline == ["# -", "p One", "p Two three", "- a", "- b"])
    }

    @Test("Very deep nesting is truncated or rejected")
    func deep() throws {
        let deep = String(repeating: "<div>", count: 100_000) + "x"
        // Deep nesting must not cause a stack overflow.
        _ = try? Document.read(Array("<html><body><p>a</p>\(deep)".utf8))
        _ = try? TestBook([deep + String(repeating: "</div>", count: 100_000), "<p>x</p>"]).read()
    }
}
