import Testing

@testable import synthhost_read
@testable import SynthDocuments

@Suite("Text with typographic marks")
struct MarkedTextTests {
    /// Contents of a paragraph, and the expected text.
    static let raised: [(html: String, text: String)] = [
        ("10<sup>6</sup> people", "10⁶ people"), ("2<sup>10</sup> is", "2¹⁰ is"),
        ("x<sup>2</sup> + y<sup>2</sup>", "x² + y²"),
        ("10<sup>−3</sup> m", "10⁻³ m"), ("10<sup>-12</sup>", "10⁻¹²"), ("5 km<sup>2</sup>", "5 km²"),
        ("m/s<sup>2</sup>", "m/s²"), ("(a + b)<sup>2</sup>", "(a + b)²"), ("sin<sup>2</sup> x", "sin² x"),
        ("6.02 × 10<sup>23</sup>", "6.02 × 10²³"), ("x<sup>n</sup>", "x to the power of n"),
        ("2<sup>n</sup>", "2 to the power of n"), ("x<sup>n+1</sup>", "x to the power of n+1"),
        ("1<sup>1</sup>/<sub>2</sub> cups", "1½ cups"), ("<sup>3</sup>⁄<sub>4</sub> done", "¾ done"),
        ("2<sup>3</sup>/<sub>16</sub> in", "2 3/16 in"), ("<sup>5</sup>/<sub>32</sub>", "5/32"),
        ("<sup>14</sup>C dating", "C-14 dating"), ("of <sup>235</sup>U.", "of U-235."),
        ("<sup>235</sup><sub>92</sub>U is", "U-235 is"), ("H<sub>2</sub>O and CO<sub>2</sub>", "H2O and CO2"),
        ("H<sub>2</sub>SO<sub>4</sub>", "H2SO4"), ("Ca(OH)<sub>2</sub>", "Ca(OH)2"), ("Ca<sup>2+</sup>", "Ca²⁺"),
        ("SO<sub>4</sub><sup>2−</sup>", "SO4²⁻"), ("Na<sup>+</sup> ions", "Na⁺ ions"), ("x<sub>1</sub>", "x 1"),
        ("a<sub>ij</sub>", "a ij"), ("1<sup>st</sup>", "1st"), ("M<sup>me</sup> Roy", "Mme Roy"),
        ("S<sup>t</sup> Brieuc", "St Brieuc"), ("XV<sup>e</sup> siècle", "XVe siècle"), ("n<sup>o</sup> 5", "no 5"),
        ("M<sup>c</sup>Donald", "McDonald"), ("Brand<sup>TM</sup>", "Brand™"), ("20<sup>°</sup>", "20°"),
        ("<sup>3</sup>In the beginning <sup>4</sup>God created", "In the beginning God created"),
        ("of <sup>115</sup>In.", "of In-115."),
        ("e<sup>iπ</sup> + 1", "e to the power of iπ + 1"), ("words<sup>ii</sup> more", "words more"),
        ("n<sup>os</sup> 3", "nos 3"),
        ("log<sub>10</sub> x", "log 10 x"), ("3 <sup>1</sup>/<sub>2</sub>", "3 ½"),
        ("2<sup>1/2</sup>", "2 to the power of 1/2"),
        ("E = mc<sup>2</sup>", "E = mc²"), ("R<sup>2</sup> = 0.9", "R² = 0.9"),
        ("<span class=\"sup\">2</span>", ""), ("10<span class=\"sup\">6</span>", "10⁶"),
        ("10<span style=\"vertical-align: super\">6</span>", "10⁶"),
    ]

    @Test("Superscripts and subscripts are converted so that they are spoken correctly", arguments: raised)
    func marks(html: String, text: String) throws {
        let blocks = try TestBook(["<p>\(html)</p><p>End.</p>"]).read().chapters[0].blocks
        #expect((blocks.count == 2 ? blocks[0].text : "") == text)
    }

    @Test("Superscripts are spoken in the book's language")
    func languages() throws {
        let metadata = "<dc:title>T</dc:title><dc:language>it</dc:language>"
        let block = try TestBook(["<p>1<sup>o</sup> e 2<sup>n</sup></p>"], metadata: metadata).read().chapters[0]
            .blocks[0]
        #expect(block.text == "1º e 2 elevato a n")
    }

    /// The content of the body, and the expected blocks.
    static let silent: [(html: String, blocks: [String])] = [
        // Scene breaks.
        ("<p>a</p><p>* * *</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p>***</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><h3>⁂</h3><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p># # #</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p>~ ~ ~</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p>• • •</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p>—o—</p><p>b</p>", ["p a", "scene", "p b"]), ("<p>a</p><p>❦</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p>— — —</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p>x x x</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p>oOo</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><hr/><p>* *</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p>. . .</p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p class=\"scene-break\"></p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p><img alt=\"ornament\"/></p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p><img alt=\"* * *\"/></p><p>b</p>", ["p a", "scene", "p b"]),
        ("<p>a</p><p>★☆★</p><p>b</p><hr/>", ["p a", "scene", "p b"]), ("<h1>T</h1><hr/><p>a</p>", ["h1 T", "p a"]),
        ("<p>O</p><p>“…”</p><p>?</p>", ["p O", "p “…”", "p ?"]),
        // Page and line numbers.
        ("<p>a <span class=\"pagenum\">13</span>dawn</p>", ["p a dawn"]), ("<p>a [Pg 12]b</p>", ["p a b"]),
        ("<p>a <span class=\"pageno\">[Pg 12]</span>b</p>", ["p a b"]),
        ("<p>a <a id=\"page19\">19</a>b</p>", ["p a b"]),
        ("<p>a <span class=\"page-number\" id=\"p9\">ix</span>b</p>", ["p a b"]),
        ("<p>a <span epub:type=\"pagebreak\" title=\"4\">4</span>b</p>", ["p a b"]),
        ("<p>a <span role=\"doc-pagebreak\">4</span>b</p>", ["p a b"]),
        ("<p>out<span class=\"lnum\">80</span></p>", ["p out"]),
        ("<p>out <span class=\"linenum\">85</span></p>", ["p out"]),
        ("<div class=\"page\"><p>All of it</p></div>", ["p All of it"]),
        ("<p>In room <a id=\"room\">19</a>.</p>", ["p In room 19."]),
        ("<p>See [Page] or [Pga].</p>", ["p See [Page] or [Pga]."]),
        // Visual elements without text to speak.
        ("<p style=\"display: none\">no</p><p>x</p>", ["p x"]),
        ("<p style=\"visibility:hidden\">no</p><p>x</p>", ["p x"]),
        ("<h2>Title<a class=\"headerlink\" href=\"#t\">¶</a></h2>", ["h2 Title"]),
        ("<p>x</p><p><a href=\"#top\">Back to top</a></p>", ["p x"]),
        ("<div class=\"related\" role=\"navigation\"><h3>Navigation</h3><ul><li>next</li></ul></div><p>x</p>", ["p x"]),
        ("<div role=\"contentinfo\">© Copyright</div><p>x</p>", ["p x"]),
        ("<p><img alt=\"cover.jpg\"/></p><p>x</p>", ["p x"]), ("<p><img alt=\"image\"/></p><p>x</p>", ["p x"]),
        ("<p><img alt=\"Cover\"/></p><p>x</p>", ["p x"]), ("<p><img alt=\"Image 3\"/></p><p>x</p>", ["p x"]),
        ("<p><img alt=\"img_0012.PNG\"/></p><p>x</p>", ["p x"]),
        ("<p><img alt=\"Logo of the publisher\"/></p><p>x</p>", ["p x"]),
        ("<p><img alt=\"A dog\" role=\"presentation\"/></p><p>x</p>", ["p x"]),
        ("<p><img alt=\"Figure 3. The dog\"/></p>", ["figure Figure 3. The dog"]),
        // Drop caps.
        ("<p><img alt=\"T\"/>he end</p>", ["p The end"]), ("<p><img alt=\"A\"/> man</p>", ["p A man"]),
        ("<p><img alt=\"“W\"/>hy?”</p>", ["p “Why?”"]),
        ("<p><span class=\"dropcap\">T</span>he end</p>", ["p The end"]),
        // Drawings and formulas.
        (
            "<svg><title>no</title><text>One <tspan>two</tspan></text><text>Three</text></svg>",
            ["p One two", "p Three"]
        ),
        ("<p>Law <math alttext=\"L = λW\"><mi>L</mi></math>, so</p>", ["p Law L = λW, so"]),
        ("<p><math><mi>L</mi><mo>=</mo><mi>λ</mi><mi>W</mi></math></p>", ["p L = λ W"]),
        (
            "<p><math><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></math></p>",
            ["p x² + ½"]
        ),
        ("<p><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></p>", ["p a over b"]),
        ("<p><math><msqrt><mn>2</mn></msqrt></math></p>", ["p √2"]),
        ("<p><math><msup><mi>e</mi><mi>x</mi></msup></math></p>", ["p e to the power of x"]),
        ("<p>a <math><mspace/></math> b</p>", ["p a Formula. b"]),
        (
            "<p><math alttext=\"\\frac{a}{b}\"><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac><annotation>x</annotation></semantics></math></p>",
            ["p a over b"]
        ),
        // Line breaks.
        ("<p>Roses are red,<br/>Violets are blue.</p>", ["p Roses are red,⏎Violets are blue."]),
        ("<p>One<br/><br/>Two</p>", ["p One", "p Two"]), ("<h2>Chapter 1<br/>The Sea</h2>", ["h2 Chapter 1⏎The Sea"]),
        ("<h2>The long<br/>way home</h2>", ["h2 The long way home"]),
        ("<address>12 High Street<br/>London</address>", ["p 12 High Street⏎London"]),
        ("<pre class=\"poem\">O wind,\n  blow\n\nAgain</pre>", ["p O wind,⏎blow", "p Again"]),
        ("<pre>The wind blows cold\nAnd the night is old</pre>", ["p The wind blows cold⏎And the night is old"]),
        ("<pre>let x = f(1)\nLet y = g(2)</pre>", ["code let x = f(1)⏎Let y = g(2)"]),
        ("<div class=\"line-block\"><div class=\"line\">One</div><div class=\"line\">Two</div></div>", ["p One⏎Two"]),
        (
            "<p>This is a line of prose that was broken by hand because<br/>the page was narrow in those days, and nobody knew<br/>better.</p>",
            [
                "p This is a line of prose that was broken by hand because the page was narrow in those days, and nobody knew better."
            ]
        ),
        // Passages in other languages.
        (
            "<p>He said: <i lang=\"fr\">Je ne sais pas.</i> Then left.</p>",
            ["p He said: Je ne sais pas. Then left. [fr: Je ne sais pas.]"]
        ),
        ("<p>A <i lang=\"fr\">mot juste</i> here.</p>", ["p A mot juste here."]),
        ("<p><span xml:lang=\"de\">Alles war gut.</span></p>", ["p de Alles war gut."]),
        (
            "<p lang=\"fr\">Oui. <i lang=\"en\">So he said it.</i></p>",
            ["p fr Oui. So he said it. [en: So he said it.]"]
        ),
        // Tables.
        ("<table><tr><td>Anna<sup>1</sup></td><td><p>x<br/>y</p></td></tr></table>", ["row Anna, x y"]),
        ("<table><tr><td><h2>T</h2><p>Words.</p></td></tr></table>", ["h2 T", "p Words."]),
    ]

    @Test("Purely visual content is not read", arguments: silent)
    func read(html: String, blocks: [String]) throws {
        let document = try Document.read(Array("<html lang=\"en\"><body>\(html)</body></html>".utf8), as: .page)
        #expect(document.chapters.flatMap { $0.blocks.map(\.outline) } == blocks)
    }

    @Test("Plain text keeps its line breaks and pauses, but not its page numbers")
    func plain() throws {
        let text =
            "The paragraph before is long enough that everyone sees how wide the lines\nof this text are, which end where the margin is, and nowhere\nelse.\n\n"
            + "  O wind, that sings so loud a song,\n  O wind, a-blowing all day long,\n  O wind, that sings!\n\n* * *\n\n[Illustration]\n\n"
            + "[Illustration: A map of the island]\n\nHe went [Pg 12] on.\n\n—o—\n"
        #expect(
            try Document.read(Array(text.utf8)).outline == [
                "# -",
                "p The paragraph before is long enough that everyone sees how wide the lines of this text are, which end where the margin is, and nowhere else.",
                "p O wind, that sings so loud a song,⏎O wind, a-blowing all day long,⏎O wind, that sings!", "scene",
                "figure A map of the island", "p He went on.",
            ])
    }

    @Test(
        "Note marks are removed from plain text",
        arguments: [
            ("It closed.12 Nobody came.", "It closed. Nobody came."), ("a rose,4 then another", "a rose, then another"),
            ("three million.3", "three million."), ("“Why?”7 He left.", "“Why?” He left."),
            ("a word[3] more", "a word more"),
            ("the end.[12]", "the end."), ("See fig.3 and no.5 there.", "See fig.3 and no.5 there."),
            ("at 10.30 he came", "at 10.30 he came"), ("of 1,200 people", "of 1,200 people"),
            ("in May,4 of them", "in May, of them"),
            ("he had 3.5 or 4", "he had 3.5 or 4"), ("list [3] here", "list [3] here"),
            ("version.2000 is", "version.2000 is"),
        ])
    func notes(text: String, read: String) throws {
        #expect(try Document.read(Array("\(text)\n".utf8)).chapters.first?.blocks.first?.text == read)
    }

    @Test("Notes in plain text are read only if requested, and then between paragraphs")
    func footnotes() throws {
        let text = Array("It was late.[1]\n\n[Footnote 1: By the\nclock.]\n\nThen.\n".utf8)
        #expect(try Document.read(text).outline == ["# -", "p It was late.", "p Then."])
        #expect(try Document.read(text, [.notes]).outline == ["# -", "p It was late.", "p By the clock.", "p Then."])
    }
}
