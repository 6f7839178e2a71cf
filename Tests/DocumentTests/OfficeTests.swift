import Testing

@testable import synthhost_read
@testable import SynthDocuments

/// A Word document that a test creates from the content of its body.
private struct TestWord {
    var body: String
    var parts: [(name: String, text: String)] = []

    private static let spaces =
        #"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties""#
    private static let styles = """
        <w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault></w:docDefaults>
        <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
        <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
        <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
        <w:style w:type="paragraph" w:styleId="T1"><w:name w:val="toc 1"/></w:style>
        <w:style w:type="character" w:styleId="Em"><w:name w:val="Emphasis"/><w:rPr><w:i/></w:rPr></w:style>
        """

    init(_ body: String) { self.body = body }

    static func paragraph(_ text: String, style: String? = nil) -> String {
        "<w:p><w:pPr>\(style.map { "<w:pStyle w:val=\"\($0)\"/>" } ?? "")</w:pPr><w:r><w:t>\(text)</w:t></w:r></w:p>"
    }

    func read(_ extras: Set<DocumentExtra> = []) throws -> Document {
        var book = TestBook([])
        book.members =
            [
                ("[Content_Types].xml", "<Types/>"),
                ("word/document.xml", "<w:document \(Self.spaces)><w:body>\(body)</w:body></w:document>"),
                ("word/styles.xml", "<w:styles \(Self.spaces)>\(Self.styles)</w:styles>"),
            ] + parts.map { ($0.name, $0.text.replacing("SPACES", with: Self.spaces)) }
        return try Document.read(book.bytes, extras)
    }

    func outline(_ extras: Set<DocumentExtra> = []) throws -> [String] { try read(extras).outline }
}

@Suite("Word documents")
struct WordTests {
    @Test("Headings determine the chapters, regardless of style names, and the title is read")
    func chapters() throws {
        var word = TestWord(
            TestWord.paragraph("A Tale", style: "Titel") + TestWord.paragraph("One", style: "berschrift1")
                + TestWord.paragraph("Text.")
                + TestWord.paragraph("Below", style: "Own") + TestWord.paragraph("More.")
                + TestWord.paragraph("Contents 3", style: "T1")
                + "<w:p><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:r><w:t>Two</w:t></w:r></w:p>")
        word.parts = [
            (
                "docProps/core.xml",
                "<cp:coreProperties SPACES><dc:title>The Tale</dc:title><dc:creator>Ann; Bob</dc:creator></cp:coreProperties>"
            )
        ]
        let document = try word.read()
        #expect(document.title == "The Tale" && document.authors == ["Ann", "Bob"] && document.language == "en-GB")
        #expect(document.chapters.map(\.level) == [1, 1, 2, 1])
        #expect(
            document.outline == [
                "# A Tale", "h1 A Tale", "# One", "h1 One", "p Text.", "# Below", "h2 Below", "p More.", "# Two",
                "h1 Two",
            ])
    }

    @Test(
        "A document is read as Word displays it",
        arguments: [
            (
                "<w:r><w:t>a</w:t></w:r><w:del><w:r><w:delText>b</w:delText></w:r></w:del><w:ins><w:r><w:t>c</w:t></w:r></w:ins>",
                "p ac"
            ),
            ("<w:moveFrom><w:r><w:t>a</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>b</w:t></w:r></w:moveTo>", "p b"),
            ("<w:r><w:rPr><w:vanish/></w:rPr><w:t>a</w:t></w:r><w:r><w:t>b</w:t></w:r>", "p b"),
            ("<w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>a</w:t></w:r>", "p a"),
            (
                "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t><w:softHyphen/><w:t>d</w:t></w:r>",
                "p a b-cd"
            ),
            (
                "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> REF x </w:instrText></w:r><w:r><w:fldChar "
                    + "w:fldCharType=\"separate\"/></w:r><w:r><w:t>a</w:t></w:r><w:r><w:fldChar "
                    + "w:fldCharType=\"end\"/></w:r><w:r><w:t>b</w:t></w:r>",
                "p ab"
            ),
            (
                "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> XE \"a\" </w:instrText></w:r><w:r><w:fldChar "
                    + "w:fldCharType=\"end\"/></w:r><w:r><w:t>b</w:t></w:r>",
                "p b"
            ),
            ("<w:fldSimple w:instr=\" PAGE \"><w:r><w:t>7</w:t></w:r></w:fldSimple><w:r><w:t>b</w:t></w:r>", "p b"),
            ("<w:hyperlink><w:r><w:t>a </w:t></w:r></w:hyperlink><w:r><w:t>b</w:t></w:r>", "p a b"),
            (
                "<w:r><w:t>m</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>2</w:t></w:r>",
                "p m²"
            ),
            (
                "<w:r><w:t>1</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>st</w:t></w:r>",
                "p 1st"
            ),
            ("<w:r><w:t>a</w:t></w:r><w:r><w:commentReference w:id=\"1\"/></w:r>", "p a"),
            ("<w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>a</w:t></w:r></w:sdtContent></w:sdt>", "p a"),
        ])
    func inline(runs: String, line: String) throws {
        #expect(try TestWord("<w:p>\(runs)</w:p>").outline() == ["# -", line])
    }

    @Test("Lists are numbered, tables are read row by row, verse is read line by line, and text boxes are read once")
    func blocks() throws {
        func item(_ text: String, _ list: Int, _ depth: Int = 0) -> String {
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"\(depth)\"/><w:numId "
                + "w:val=\"\(list)\"/></w:numPr></w:pPr><w:r><w:t>\(text)</w:t></w:r></w:p>"
        }
        let box = "<w:txbxContent>\(TestWord.paragraph("In a box."))</w:txbxContent>"
        var word = TestWord(
            item("a", 1) + item("b", 1) + item("c", 1, 1) + item("d", 1) + item("e", 2)
                + "<w:tbl><w:tr><w:tc>\(TestWord.paragraph("x"))</w:tc><w:tc>\(TestWord.paragraph("y"))\(TestWord.paragraph("z"))</w:tc></w:tr></w:tbl>"
                + "<w:p><w:r><w:t>One line</w:t><w:br/><w:t>and another</w:t></w:r></w:p>"
                + "<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing>\(box)</w:drawing></mc:Choice><mc:Fallback><w:pict>\(box)</w:pict></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>Beside.</w:t></w:r></w:p>"
                + TestWord.paragraph("* * *") + TestWord.paragraph("Later.") + TestWord.paragraph("⁂"))
        word.parts = [
            (
                "word/numbering.xml",
                "<w:numbering SPACES><w:abstractNum w:abstractNumId=\"5\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"3\"/><w:numFmt "
                    + "w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/></w:lvl><w:lvl w:ilvl=\"1\"><w:numFmt "
                    + "w:val=\"lowerLetter\"/><w:lvlText w:val=\"%2)\"/></w:lvl></w:abstractNum><w:abstractNum "
                    + "w:abstractNumId=\"6\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"bullet\"/></w:lvl></w:abstractNum><w:num "
                    + "w:numId=\"1\"><w:abstractNumId w:val=\"5\"/></w:num><w:num w:numId=\"2\"><w:abstractNumId "
                    + "w:val=\"6\"/></w:num></w:numbering>"
            )
        ]
        #expect(
            try word.outline() == [
                "# -", "-3. a", "-4. b", "-- a) c", "-5. d", "- e", "row x, y z", "p One line", "p and another",
                "p Beside.", "p In a box.", "scene", "p Later.",
            ])
    }

    @Test("Notes are omitted, or read after the paragraphs that refer to them")
    func notes() throws {
        var word = TestWord(
            "<w:p><w:r><w:t>Old</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r><w:r><w:t>.</w:t></w:r></w:p>")
        word.parts = [
            (
                "word/footnotes.xml",
                "<w:footnotes SPACES><w:footnote w:type=\"separator\" w:id=\"0\">\(TestWord.paragraph("-"))</w:footnote><w:footnote "
                    + "w:id=\"2\">\(TestWord.paragraph("As the sea."))</w:footnote></w:footnotes>"
            )
        ]
        #expect(try word.outline() == ["# -", "p Old."])
        #expect(try word.outline([.notes]) == ["# -", "p Old.", "p Note: As the sea."])
    }

    @Test("The language of paragraphs and the ranges of emphasis are read")
    func languages() throws {
        let french = "<w:p><w:r><w:rPr><w:lang w:val=\"fr-FR\"/></w:rPr><w:t>Bonjour</w:t></w:r></w:p>"
        let stressed =
            "<w:p><w:r><w:t xml:space=\"preserve\">It is </w:t></w:r><w:r><w:rPr><w:rStyle "
            + "w:val=\"Em\"/></w:rPr><w:t>so</w:t></w:r><w:r><w:t>.</w:t></w:r></w:p>"
        let document = try TestWord(french + stressed).read()
        #expect(document.outline == ["# -", "p fr-FR Bonjour", "p It is so."] && document.language == "en-GB")
        #expect(document.chapters[0].blocks[1].emphasis == [6..<8])
    }

    @Test("Without styles, chapters are recognized by the wording of headings")
    func plain() throws {
        let text =
            TestWord.paragraph("Chapter One") + TestWord.paragraph("Text.") + TestWord.paragraph("Chapter Two")
            + TestWord.paragraph("More.")
        #expect(try TestWord(text).read().chapters.map(\.title) == ["Chapter One", "Chapter Two"])
    }

    @Test("Documents that are not well-formed or contain no text are rejected")
    func refused() throws {
        #expect(throws: DocumentFailure.empty) { try TestWord("<w:p/>").read() }
        #expect(throws: DocumentFailure.damaged("contains a part that is not well-formed XML (word/document.xml)")) {
            try TestWord("<w:p>").read()
        }
    }
}

@Suite("FictionBook documents")
struct FictionBookTests {
    private static func book(_ bodies: String, info: String = "", rest: String = "", encoding: String = "utf-8")
        -> String
    {
        "<?xml version=\"1.0\" encoding=\"\(encoding)\"?><FictionBook xmlns=\"http://www.gribuser.ru/xml/fictionbook/2.0\" "
            + "xmlns:l=\"http://www.w3.org/1999/xlink\"><description><title-info><author><first-name>Ann</first-name><last-name>Author</last-name></author><author><nickname>bob</nickname></author><book-title>A "
            + "Tale</book-title><lang>en</lang>\(info)</title-info></description>\(bodies)\(rest)</FictionBook>"
    }

    private static let text = """
        <body><title><p>A Tale</p></title><epigraph><p>So it is.</p><text-author>Somebody</text-author></epigraph>
        <section><title><p>Chapter 1</p><p>The Sea</p></title><p>It was <emphasis>so</emphasis> wet<a l:href="#n1" type="note">[1]</a>.</p>
        <section><title><p>Waves</p></title><p>Up.</p><poem><stanza><v>The sea was wet</v><v>The sand was dry</v></stanza></poem><p>* * *</p><empty-line/><p>Down 10<sup>6</sup>.</p></section></section>
        <section><title><p>Chapter 2</p></title><cite><p>Said.</p></cite><table><tr><th>a</th><td>b</td></tr></table><image l:href="#i"/></section></body>
        <body name="notes"><section id="n1"><title><p>1</p></title><p>As the sea.</p></section></body>
        """

    @Test("Sections become chapters, without notes")
    func chapters() throws {
        let document = try Document.read(Array(Self.book(Self.text).utf8))
        #expect(document.title == "A Tale" && document.authors == ["Ann Author", "bob"] && document.language == "en")
        #expect(
            document.outline == [
                "# A Tale", "h1 A Tale", "p quoted So it is.", "p quoted Somebody", "# Chapter 1. The Sea",
                "h1 Chapter 1. The Sea", "p It was so wet.",
                "# Waves", "h2 Waves", "p Up.", "p The sea was wet", "p The sand was dry", "scene", "p Down 10⁶.",
                "# Chapter 2",
                "h1 Chapter 2",
                "p quoted Said.", "row a, b",
            ])
        #expect(document.chapters[1].blocks[1].emphasis == [7..<9])
        #expect(document.chapters.map(\.level) == [1, 1, 2, 1])
    }

    @Test("If requested, notes follow the text that refers to them")
    func notes() throws {
        let document = try Document.read(Array(Self.book(Self.text).utf8), [.notes])
        #expect(
            document.chapters[1].blocks.map(\.text) == ["Chapter 1. The Sea", "It was so wet.", "Note: As the sea."])
    }

    @Test("FictionBook files may be in a ZIP archive or a legacy encoding, and the cover is read")
    func forms() throws {
        var zip = TestBook([])
        zip.members = [("tale.fb2", Self.book(Self.text))]
        #expect(try Document.read(zip.bytes).chapters.count == 4)
        let russian = Self.book("<body><section><p>X</p></section></body>", encoding: "windows-1251")
        let bytes = Array(russian.utf8).flatMap { $0 == UInt8(ascii: "X") ? [0xCC, 0xEE, 0xF0, 0xE5] : [$0] }
        #expect(try Document.read(bytes).chapters.flatMap(\.blocks).map(\.text) == ["Море"])
        let cover = Self.book(
            "<body><section><p>a</p></section></body>", info: "<coverpage><image l:href=\"#c.png\"/></coverpage>",
            rest: "<binary id=\"c.png\" content-type=\"image/png\">iVBORw0K\nGgo=</binary>")
        #expect(try Document.read(Array(cover.utf8)).cover?.type == "image/png")
    }

    @Test("FictionBook files that are not well-formed are rejected")
    func refused() {
        #expect(throws: DocumentFailure.damaged("is a FictionBook that is not well-formed XML")) {
            try Document.read(Array("<?xml version=\"1.0\"?><FictionBook><body><p>a</body></FictionBook>".utf8))
        }
    }
}

@Suite("Formats that other programs convert")
struct ForeignFormatTests {
    @Test(
        "The error includes the format and the command that converts it",
        arguments: [
            (
                Array(repeating: UInt8(0x41), count: 60) + Array("BOOKMOBI".utf8), "a.mobi",
                "a Kindle book (MOBI or AZW)", "ebook-convert a.mobi a.epub"
            ),
            (
                Array("{\\rtf1 Hello}".utf8), "b.rtf", "a Rich Text document (RTF)",
                "soffice --headless --convert-to docx b.rtf"
            ),
            (
                [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "my book.doc",
                "an old Microsoft Office document (DOC, XLS or PPT)",
                "soffice --headless --convert-to docx \"my book.doc\""
            ),
            (Array("AT&TFORM".utf8), "c.djvu", "a DjVu document", "djvutxt c.djvu c.txt"),
            (Array("%!PS-Adobe".utf8), "d.ps", "a PostScript document", "ps2pdf d.ps d.pdf"),
            (Array("ITOLITLS".utf8), "e.lit", "a book in Microsoft's LIT format", "ebook-convert e.lit e.epub"),
        ])
    func named(bytes: [UInt8], file: String, name: String, command: String) throws {
        let format = try #require(ForeignFormat(beginning: bytes))
        #expect(format.name == name && format.command(converting: file) == command)
        #expect(throws: DocumentFailure.foreign(format)) { try Document.read(bytes) }
    }

    @Test(
        "The format is recognized by the files in a ZIP archive",
        arguments: [
            ("content.xml", "an OpenDocument file (ODT)"), ("ppt/presentation.xml", "a presentation (PPTX)"),
            ("xl/workbook.xml", "a spreadsheet (XLSX)"),
        ])
    func packed(member: String, name: String) throws {
        var zip = TestBook([])
        zip.members = [(member, "<a/>")]
        let failure = #expect(throws: DocumentFailure.self) { try zip.read() }
        guard case .foreign(let format) = failure else { throw failure ?? .empty }
        #expect(format.name == name)
    }
}
