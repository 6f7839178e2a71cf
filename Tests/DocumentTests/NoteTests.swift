import Testing

@testable import synthhost_read
@testable import SynthDocuments

@Suite("Notes in a book")
struct NoteTests {
    /// A paragraph with a note reference, and the expected text.
    static let references: [(html: String, text: String)] = [
        // Numbers without links.
        ("The word alpha<sup>1</sup> is Greek.", "The word alpha is Greek."),
        ("It is old.<sup>12</sup> Nobody knows.", "It is old. Nobody knows."),
        ("“Come,”<sup>3</sup> he said.", "“Come,” he said."), ("in 1848<sup>7</sup> again", "in 1848 again"),
        ("a word<sup>*</sup> more", "a word more"), ("words<sup>†</sup>.", "words."),
        ("both<sup>1, 2</sup> of", "both of"),
        ("both<sup>3–5</sup> of", "both of"), ("text (see above)<sup>3</sup> goes", "text (see above) goes"),
        ("the word<sup>a</sup> more", "the word more"), ("it <sup>[4]</sup> is", "it is"),
        // Links, in all common variants.
        (##"a<a href="#n"><sup>3</sup></a> b"##, "a b"), (##"a<sup><a href="#n">3</a></sup> b"##, "a b"),
        (##"ab<a href="#n">12</a> c"##, "ab c"), (##"a<a href="page2.xhtml#x">12</a> b"##, "a b"),
        (##"a<a href="page2.xhtml">12</a> b"##, "a b"), (##"a<a href="#n"><span class="super">4</span></a> b"##, "a b"),
        (##"a<a href="#n"><sup><small>4</small></sup></a> b"##, "a b"),
        (##"a<sup><b><a href="#n">4</a></b></sup> b"##, "a b"),
        (##"a<a class="fnref" href="#n">(4)</a> b"##, "a b"),
        (##"a <a class="footnote-ref" href="#n">4</a> b"##, "a b"),
        (##"a<a epub:type="noteref" href="#n">4</a> b"##, "a b"),
        (##"a<a role="doc-noteref" href="#n">4</a> b"##, "a b"),
        (##"a<a href="#fn4" id="r4">[4]</a> b"##, "a b"), (##"a <a href="#fn4">[4]</a> b"##, "a b"),
        (##"a<a href="#n">*</a> b"##, "a b"), (##"a<a href="#n">**</a> b"##, "a b"),
        (##"a<a href="#n">‡</a> b"##, "a b"),
        (##"a<sup><a href="#n">iv</a></sup> b"##, "a b"), (##"a<sup><a href="#n">a</a></sup> b"##, "a b"),
        (##"a<sup class="reference"><a href="#cite_note-1"><span>[</span>1<span>]</span></a></sup> b"##, "a b"),
        (##"a<sup><a href="#n">1</a>,<a href="#m">2</a></sup> b"##, "a b"),
        (##"a<a href="#n" style="vertical-align: super">1</a> b"##, "a b"),
        (##"a<span style="vertical-align:super;font-size:60%"><a href="#n">1</a></span> b"##, "a b"),
        (##"a<a href="#n"><span class="superscript">1</span></a> b"##, "a b"),
        (##"a<a class="footnote-reference brackets" href="#id2" id="id1">1</a> b"##, "a b"),
        (##"a<a href="#n">¹</a> b"##, "a b"), (##"a<span class="footnote-ref">9</span> b"##, "a b"),
        (
            ##"a<span class="ltx_note"><sup class="ltx_note_mark">1</sup><span class="ltx_note_content">No.</span></span> b"##,
            "a b"
        ),
        (##"a<label class="margin-toggle sidenote-number"></label><span class="sidenote">No.</span> b"##, "a b"),
        (##"a<sup class="fnref">9</sup> b"##, "a b"), (##"a<a href="#n" class="noteref">n. 9</a> b"##, "a b"),
        // Links and numbers that are not note references.
        (##"see chapter <a href="page2.xhtml">4</a> for more"##, "see chapter 4 for more"),
        (##"Figure <a href="#f3">3</a> shows"##, "Figure 3 shows"),
        (##"Dogs, <a href="#p12">12</a>, 14"##, "Dogs, 12, 14"),
        (##"read <a href="#a">the appendix</a> now"##, "read the appendix now"),
        (##"the 1<sup>st</sup> and 2<sup>nd</sup>"##, "the 1st and 2nd"), (##"5 m<sup>2</sup> of"##, "5 m² of"),
        (##"a<a href="https://a.example/#1">1</a> b"##, "a1 b"),
    ]

    @Test("Note references leave no trace in the text", arguments: references)
    func refer(html: String, text: String) throws {
        let document = try TestBook(["<p>First.</p><p>\(html)</p>", "<p id=\"x\">Other.</p>"]).read()
        #expect(document.chapters[0].blocks[1].text == text)
    }

    /// Notes in many variants, for a paragraph with the reference `refers`.
    static let notes: [String] = [
        ##"<aside epub:type="footnote" id="n1"><p>Note text.</p></aside>"##,
        ##"<p class="footnote" id="n1">1. Note text.</p>"##,
        ##"<p class="footnotes" id="n1"><a href="#r1">1</a> Note text.</p>"##,
        ##"<div class="footnote" id="n1"><p><a href="#r1">[1]</a> Note text.</p></div>"##,
        ##"<div class="footnote"><p id="n1"><sup>1</sup> Note text.</p></div>"##,
        ##"<section class="footnotes"><hr/><ol><li id="n1"><p>Note text.<a href="#r1" class="footnote-back">↩</a></p></li></ol></section>"##,
        ##"<section role="doc-endnotes"><h2>Notes</h2><ol><li id="n1" role="doc-endnote">Note text.</li></ol></section>"##,
        ##"<div class="endnotes"><dl><dt id="n1">1</dt><dd>Note text.</dd></dl></div>"##,
        ##"<aside class="footnote brackets" id="n1" role="doc-footnote"><span class="label"><a role="doc-backlink" href="#r1">1</a></span><p>Note text.</p></aside>"##,
        ##"<table class="docutils footnote" id="n1"><tbody><tr><td class="label"><a class="fn-backref" href="#r1">[1]</a></td><td>Note text.</td></tr></tbody></table>"##,
        // Only the links identify these as notes.
        ##"<p id="n1"><a href="#r1">1</a> Note text.</p>"##, ##"<p><a id="n1" href="#r1">[1]</a> Note text.</p>"##,
        ##"<p id="n1">Note text. <a href="#r1">↩</a></p>"##,
        ##"<div id="n1"><p><a href="#r1">1.</a> Note text.</p></div>"##,
        ##"<h2>Notes</h2><ol><li id="n1">Note text. <a href="#r1">↑</a></li></ol>"##,
        ##"<p id="n1">1. Note text.</p>"##, ##"<ol><li id="n1">Note text.</li></ol>"##,
        ##"<p><sup><a id="n1" href="#r1">1</a></sup> Note text.</p>"##,
    ]

    @Test("Notes are silent or, if requested, read after the text that refers to them", arguments: notes)
    func read(html: String) throws {
        let book = TestBook([
            ##"<h1>One</h1><p>It refers<sup id="r1"><a href="#n1">1</a></sup> to it.</p><p>End.</p>\##(html)"##
        ])
        #expect(try book.read().outline == ["# One", "h1 One", "p It refers to it.", "p End."])
        let read = try Document.read(book.bytes, [.notes]).outline
        #expect(read == ["# One", "h1 One", "p It refers to it.", "p Note: Note text.", "p End."], "\(read)")
    }

    @Test("Notes may be in a different file and have several paragraphs, and the heading above them is also silent")
    func otherFile() throws {
        let book = TestBook(
            [
                ##"<h1>One</h1><p id="a">A <a href="page2.xhtml#n1" id="r1">1</a> b <a href="page2.xhtml#n2" id="r2">2</a>.</p>"##,
                ##"<h1>Notes</h1><h2>To One</h2><p id="n1"><a href="page1.xhtml#r1">1</a> First.</p><p>Goes on.</p>"##
                    + ##"<p id="n2"><a href="page1.xhtml#r2">2</a> Second.</p>"##, "<h1>About</h1><p>Words.</p>",
            ],
            contents: ##"<li><a href="text/page1.xhtml">One</a></li><li><a href="text/page2.xhtml">Notes</a></li>"##
                + ##"<li><a href="text/page3.xhtml">About</a></li>"##)
        #expect(try book.read().outline == ["# One", "h1 One", "p A b.", "# About", "h1 About", "p Words."])
        #expect(
            try Document.read(book.bytes, [.notes]).outline == [
                "# One", "h1 One", "p A b.", "p Note: First.", "p Goes on.", "p Note: Second.", "# About", "h1 About",
                "p Words.",
            ])
    }

    @Test("The targets of tables of contents and cross-references are not notes")
    func others() throws {
        let book = TestBook([
            ##"<p id="t"><a href="#c1">1</a> The sea</p><h2 id="c1"><a href="#t">1</a> The sea</h2><p>See <a href="#c2">2</a>.</p>"##
                + ##"<h2 id="c2">2</h2><p id="e1">1. An item.</p><p>Go to <a href="#e1">1</a> now.</p>"##
        ])
        #expect(
            try book.read().outline == [
                "# 1 The sea", "p 1 The sea", "h2 1 The sea", "p See 2.", "h2 2", "p 1. An item.", "p Go to 1 now.",
            ])
    }
}
