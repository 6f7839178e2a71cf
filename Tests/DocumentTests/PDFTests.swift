import Testing

@testable import synthhost_read
@testable import SynthDocuments

/// Pages in the format of `pdftohtml -xml`, with lines at specific positions.
private struct PrintedSample {
    private var pages: [[String]] = [[]]
    private var bookmarks: [(level: Int, page: Int, title: String)] = []

    /// Letters are half as wide as they are high, and lines are 36 units apart.
    private static let sizes = [30: 0, 42: 1, 24: 2, 18: 3]

    mutating func add(_ text: String, x: Int = 100, y: Int, size: Int = 30, width: Int? = nil, isBold: Bool = false) {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        let content = isBold ? "<b>\(escaped)</b>" : escaped
        pages[pages.count - 1].append(
            #"<text top="\#(y)" left="\#(x)" width="\#(width ?? text.count * size / 2)" height="\#(size + 6)" font="\#(Self.sizes[size] ?? 0)">\#(content)</text>"#
        )
    }

    /// Adds lines, one below the other.
    mutating func add(_ lines: [String], x: Int = 100, y: Int, size: Int = 30) {
        for (index, line) in lines.enumerated() { add(line, x: x, y: y + index * 36, size: size) }
    }

    mutating func turn() { pages.append([]) }
    mutating func mark(_ title: String, page: Int, level: Int = 1) { bookmarks.append((level, page, title)) }

    var xml: [UInt8] {
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, #"<pdf2xml producer="poppler" version="22.12.0">"#]
        for (index, page) in pages.enumerated() {
            lines.append(
                #" link to page 1 <page number="\#(index + 1)" position="absolute" top="0" left="0" height="1800" width="1260">"#
            )
            if index == 0 {
                for (size, id) in Self.sizes {
                    lines.append(
                        "\t<fontspec id=\"\(id)\" size=\"\(size)\" family=\"ABCDEF+Times\" color=\"#000000\"/>")
                }
            }
            lines += page + ["</page>"]
        }
        var depth = 0
        for mark in bookmarks {
            while depth < mark.level { (depth, lines) = (depth + 1, lines + ["<outline>"]) }
            while depth > mark.level { (depth, lines) = (depth - 1, lines + ["</outline>"]) }
            lines.append("<item page=\"\(mark.page)\">\(mark.title)</item>")
        }
        lines += Array(repeating: "</outline>", count: depth) + ["</pdf2xml>", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    func read(_ facts: String = "", withNotes: Bool = false) throws -> Document {
        let reader = try PDFReader(try PrintedPages(xml), facts: PDFFacts(Array(facts.utf8)), withNotes: withNotes)
        var document = reader.head
        document.chapters = reader.chapters()
        return document
    }
}

/// Lines of equal width, as in a column of justified text.
private let column = [
    "the boats were counted in the old", "harbour before the great flood and", "nobody in the office knew how many",
    "of them had left for the far coast", "when the bells of the town had rung", "for the last time in that long yea.",
]

@Suite("PDF layout")
struct PDFTests {
    @Test("Columns are read one after another, regardless of the drawing order", arguments: [false, true])
    func columns(isByRow: Bool) throws {
        var sample = PrintedSample()
        let left = column.map { String($0.filter { $0 != "." }) }
        let right = column.map { String($0.filter { $0 != "." }.reversed()) }
        if isByRow {
            for index in column.indices {
                sample.add(left[index], y: 200 + index * 36, width: 500)
                sample.add(right[index], x: 650, y: 200 + index * 36, width: 500)
            }
        } else {
            for index in column.indices { sample.add(left[index], y: 200 + index * 36, width: 500) }
            for index in column.indices { sample.add(right[index], x: 650, y: 200 + index * 36, width: 500) }
        }
        #expect(try sample.read().outline == ["# -", "p " + (left + right).joined(separator: " ")])
    }

    @Test("A page that was drawn from bottom to top is read from top to bottom")
    func upwards() throws {
        var sample = PrintedSample()
        for index in column.indices.reversed() { sample.add(column[index], y: 200 + index * 36, width: 500) }
        #expect(
            try sample.read().chapters.flatMap(\.blocks).map(\.text).joined(separator: " ")
                == column.joined(separator: " "))
    }

    @Test("Headers, footers and page numbers are omitted", arguments: Head.allCases)
    fileprivate func heads(head: Head) throws {
        var sample = PrintedSample()
        for page in 1...10 {
            if page > 1 { sample.turn() }
            head.add(to: &sample, page)
            for index in 0..<24 {
                sample.add(
                    "Sentence \(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"][page - 1]) is here.",
                    y: 200 + index * 60)
            }
        }
        let document = try sample.read()
        let text = document.chapters.flatMap(\.blocks).map(\.text).joined(separator: " ")
        #expect(document.chapters.count == 1 && text.split(separator: " ").count == 960)
        #expect(
            !text.contains(where: \.isNumber) && text.hasPrefix("Sentence one is here.")
                && text.hasSuffix("Sentence ten is here."))
    }

    /// Variants of headers and footers.
    fileprivate enum Head: String, CaseIterable {
        case numberLeft, numberRight, alternating, romanFoot, pageOf, chapters, browser, dashes, sections

        func add(to sample: inout PrintedSample, _ page: Int) {
            switch self {
            case .numberLeft:
                sample.add("\(page)", y: 90)
                sample.add("Part Two: The River", x: 800, y: 90)
            case .numberRight:
                sample.add("Part Two: The River", y: 90)
                sample.add("\(page + 16)", x: 1050, y: 90)
            case .alternating:
                sample.add(page % 2 == 0 ? "\(page)" : "A Tale", y: 90)
                sample.add(page % 2 == 0 ? "A Tale" : "\(page)", x: 1000, y: 90)
            case .romanFoot: sample.add(RomanNumeral.text(page).lowercased(), x: 600, y: 1700)
            case .pageOf: sample.add("Page \(page) of 10", x: 500, y: 1700)
            case .chapters: sample.add(page < 5 ? "THE ARRIVAL" : page == 5 ? "FOG" : "THE DEPARTURE", y: 90, size: 24)
            case .browser:
                sample.add("11/28/26, 5:31 PM", y: 60, size: 24)
                sample.add("A Tale", x: 700, y: 60, size: 24)
                sample.add("https://tales.example/a", y: 1740, size: 24)
                sample.add("\(page)/10", x: 1100, y: 1740, size: 24)
            case .dashes: sample.add("– \(page) –", x: 600, y: 1700)
            case .sections:
                sample.add("\(page % 3 + 1). Section named \(["first", "second", "third"][page % 3])   \(page)", y: 90)
            }
        }
    }

    @Test("Chapter numbers that resemble headers are kept")
    func chapterNumbers() throws {
        var sample = PrintedSample()
        for page in 1...4 {
            if page > 1 { sample.turn() }
            sample.add("Chapter \(page)", y: 200, size: 42)
            sample.add(column.map { "\($0) \(["spring", "summer", "autumn", "winter"][page - 1])." }, y: 400)
        }
        let outline = try sample.read().outline.filter { !$0.hasPrefix("p ") }
        #expect(outline == (1...4).flatMap { ["# Chapter \($0)", "h1 Chapter \($0)"] })
    }

    @Test(
        "A word that is split across two lines is joined and keeps its hyphen only if it is normally hyphenated",
        arguments: [
            (["there were seventy-", "two boats"], "there were seventy-two boats"),
            (["the inter-", "ruption was"], "the interruption was"),
            (["the well-", "known captain"], "the well-known captain"),
            (["the Anglo-", "Saxon chronicle"], "the Anglo-Saxon chronicle"),
            (["my mother-", "in-law came"], "my mother-in-law came"),
            (["my mother-in-", "law came"], "my mother-in-law came"),
            (["one or two-", "and three-masted"], "one or two- and three-masted"),
            (["in 1914-", "18 there was"], "in 1914-18 there was"),
            (["a sea-shanty was a sea-", "shanty then"], "a sea-shanty was a sea-shanty then"),
            (["an X-", "ray was made"], "an X-ray was made"),
            (["soft\u{AD}", "ware was"], "software was"),
            (["a self\u{AD}made man was a self\u{AD}", "made man"], "a self-made man was a self-made man"),
            (["the e\u{FB03}cient \u{FB01}nal", "o\u{FB00}er"], "the efficient final offer"),
            (["caf\u{B4}e na\u{A8}\u{131}ve", "M\u{A8}uller"], "café naïve Müller"),
            (["see http://a.example/", "path and"], "see http://a.example/path and"),
            (["he said—", "and left"], "he said—and left"), (["he said –", "and left"], "he said – and left"),
        ])
    func hyphens(lines: [String], text: String) throws {
        var sample = PrintedSample()
        for (index, line) in lines.enumerated() { sample.add(line, y: 200 + index * 36, width: 500) }
        #expect(try sample.read().chapters.flatMap(\.blocks).map(\.text) == [text])
    }

    @Test("Tables are read row by row, regardless of the drawing order", arguments: [false, true])
    func tables(isByColumn: Bool) throws {
        let rows = [["Name", "Age", "Town"], ["Ann", "12", "Kiel"], ["Bob", "7", "Bonn"], ["Carla", "31", "Ulm"]]
        var sample = PrintedSample()
        sample.add(column.joined(separator: " "), y: 100, width: 1000)
        for (row, column) in isByColumn ? (0..<12).map({ ($0 % 4, $0 / 4) }) : (0..<12).map({ ($0 / 3, $0 % 3) }) {
            sample.add(rows[row][column], x: 150 + column * 300, y: 300 + row * 44)
        }
        #expect(
            try sample.read().outline.suffix(4) == [
                "row Name, Age, Town", "row Ann, 12, Kiel", "row Bob, 7, Bonn", "row Carla, 31, Ulm",
            ])
    }

    @Test("Notes and their marks are omitted, or read after the paragraphs that refer to them")
    func notes() throws {
        var sample = PrintedSample()
        sample.add("The town was old.", y: 200)
        sample.add("1", x: 356, y: 195, size: 18)
        sample.add("It had 10", x: 380, y: 200)
        sample.add("6", x: 516, y: 195, size: 18)
        sample.add("trees and a harbour,", x: 540, y: 200)
        sample.add("2", x: 841, y: 195, size: 18)
        sample.add("which was deep.", x: 865, y: 200)
        for index in 0..<30 {
            sample.add("More of it is told here, line by line and word by word.", y: 300 + index * 40)
        }
        sample.add("1", y: 1595, size: 18)
        sample.add("As old as the sea.", x: 112, y: 1600, size: 24)
        sample.add("2", y: 1631, size: 18)
        sample.add("By their count.", x: 112, y: 1636, size: 24)
        let text = "p The town was old. It had 10⁶ trees and a harbour, which was deep."
        let silent = try sample.read().outline
        #expect(
            silent[1] == text && silent.count == 3 && !silent.contains { $0.contains("sea") || $0.contains("count") },
            "\(silent)")
        let spoken = try sample.read(withNotes: true).outline
        #expect(Array(spoken[1...3]) == [text, "p Note: As old as the sea.", "p Note: By their count."])
    }

    @Test("Bookmarks become chapters that start with the headings to which they refer")
    func bookmarks() throws {
        var sample = PrintedSample()
        sample.add("A Tale", y: 200, size: 42)
        sample.add("by Somebody", y: 300)
        sample.turn()
        sample.add("ONE", x: 900, y: 200)
        sample.add("THE SEA", x: 900, y: 300, size: 42)
        sample.add(column, y: 400)
        sample.add("1.1 Waves", y: 800, isBold: true)
        sample.add(column, y: 900)
        sample.turn()
        sample.add(column, y: 200)
        sample.mark("The Sea", page: 2)
        sample.mark("Waves", page: 2, level: 2)
        sample.mark("What is not printed", page: 3)
        let text = column.joined(separator: " ")
        let document = try sample.read("Title:          A Tale of the Sea\nAuthor:         Ann Author and Bob Writer\n")
        #expect(document.title == "A Tale of the Sea" && document.authors == ["Ann Author", "Bob Writer"])
        let outline = document.outline
        #expect(
            outline
                == [
                    "# A Tale", "h1 A Tale", "p by Somebody", "# The Sea", "h1 ONE. The Sea", "p \(text)", "# Waves",
                    "h2 1.1 Waves",
                    "p \(text)", "# What is not printed", "p \(text)",
                ])
    }

    @Test("Without bookmarks, headings become chapters")
    func headings() throws {
        var sample = PrintedSample()
        sample.add("A Tale", x: 500, y: 150, size: 42)
        sample.add("1 The sea", y: 300, isBold: true)
        sample.add(column, y: 400)
        sample.add("1.1 The waves", y: 700, isBold: true)
        sample.add(column, y: 800)
        sample.add("2 The land", y: 1100, isBold: true)
        sample.add(column, y: 1200)
        #expect(
            try sample.read().outline.filter { !$0.hasPrefix("p ") } == [
                "# A Tale", "h1 A Tale", "# 1 The sea", "h1 1 The sea", "# 1.1 The waves", "h2 1.1 The waves",
                "# 2 The land", "h1 2 The land",
            ])
    }

    @Test("Bullets and numbers become list items, even if they are drawn separately")
    func items() throws {
        var sample = PrintedSample()
        sample.add(column, y: 100)
        sample.add("•", x: 120, y: 400)
        sample.add("A first item of a list, which is", x: 150, y: 400)
        sample.add("longer than a line.", x: 150, y: 436)
        sample.add("\u{F0B7}", x: 120, y: 480)
        sample.add("A second item.", x: 150, y: 480)
        sample.add("3. A third one, with a number", x: 120, y: 560)
        sample.add("4. And a fourth", x: 120, y: 600)
        #expect(
            try sample.read().outline.suffix(4) == [
                "- A first item of a list, which is longer than a line.", "- A second item.",
                "-3. A third one, with a number", "-4. And a fourth",
            ])
    }

    @Test("A table of contents is omitted")
    func contents() throws {
        var sample = PrintedSample()
        sample.add("Contents", y: 200, size: 42)
        sample.add("1 The sea . . . . . . . . . . . . 2", y: 300)
        sample.add("1.1 The waves . . . . . . . . . . 3", y: 340)
        sample.add("2 The land . . . . . . . . . . . . 4", y: 380)
        sample.turn()
        sample.add("The sea", y: 200, size: 42)
        sample.add(column, y: 300)
        #expect(try sample.read().outline == ["# The sea", "h1 The sea", "p \(column.joined(separator: " "))"])
    }

    @Test("A sentence continues after a figure or on the next page")
    func floats() throws {
        let unfinished = column.dropLast() + ["for the last time that such a thing"]
        var sample = PrintedSample()
        for (index, line) in unfinished.enumerated() { sample.add(line, y: 200 + index * 36, width: 520) }
        sample.turn()
        sample.add("Figure 3: The harbour", y: 200, size: 24)
        sample.add("was over, and that is all.", y: 300)
        #expect(
            try sample.read().outline == [
                "# -", "p \(unfinished.joined(separator: " ")) was over, and that is all.", "p Figure 3: The harbour",
            ])
    }

    @Test("A paragraph ends where the next word would have fit on the line, as in verse")
    func verse() throws {
        var sample = PrintedSample()
        sample.add(column, y: 200)
        sample.add(["The sea was wet", "The sand was dry", "As dry as it could be"], y: 500)
        #expect(
            try sample.read().outline.suffix(3) == [
                "p The sea was wet", "p The sand was dry", "p As dry as it could be",
            ])
    }

    @Test(
        "File names are not used as titles",
        arguments: [
            ("Title: letter.doc", nil), ("Title: Microsoft Word - a", nil), ("Title: A Tale", "A Tale"),
            ("Title: ", nil), ("Titel: x", nil), ("Title: untitled", nil),
        ])
    func titles(facts: String, title: String?) { #expect(PDFFacts(Array(facts.utf8)).title == title) }

    @Test("If a PDF cannot be read, the reason is reported")
    func failures() throws {
        #expect(PDFFacts(Array("Command Line Error: Incorrect password\n".utf8)).isLocked)
        #expect(throws: DocumentFailure.empty) { try Document.read(PrintedSample().xml, as: .printed) }
    }

    @Test("Malformed output from the conversion program is read, within limits")
    func hostile() throws {
        let text =
            #"<text top="1" left="99999999999999999999" width="-5" height="-99999999999999999999" font="7">a &#x110000; &amp <b><i></text>"#
        for xml in [
            "<page", "<page >\n<text >", "<page width=\"x\">\n\(text)\n<item>x\n<outline>\n<item page=\"-1\">y</item>",
            "<text top=\"1\">no page</text>",
            String(repeating: "<outline>\n", count: 1000) + "<item page=\"1\">deep</item>",
            "<page number=\"1\" width=\"100\" height=\"100\">\n" + String(repeating: "\(text)\n", count: 2000),
            "<page height=\"0\" width=\"0\">\n<text top=\"0\" left=\"0\" width=\"0\" height=\"0\" font=\"0\">1</text>",
        ] {
            _ = try? PDFReader(try PrintedPages(Array(xml.utf8)), facts: PDFFacts(Array(xml.utf8)), withNotes: true)
                .chapters()
        }
        #expect(throws: DocumentFailure.tooLarge) {
            try PrintedPages(Array(repeating: UInt8(ascii: "a"), count: 2 << 20))
        }
    }
}
