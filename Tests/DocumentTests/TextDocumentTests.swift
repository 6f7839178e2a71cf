import Foundation
import Testing

@testable import synthhost_read
@testable import SynthDocuments

@Suite("Single-file documents")
struct TextDocumentTests {
    @Test("In plain text, headings start chapters, and blank lines separate paragraphs")
    func text() throws {
        let text = "A Tale\n\nby Somebody\n\n\nCHAPTER I\nThe Sea\n\nIt was\nlate.\n\nChapter 2.\n\nThe end.\n"
        let document = try Document.read(Array(text.utf8))
        #expect(
            document.outline == [
                "# -", "p A Tale", "p by Somebody", "# CHAPTER I. The Sea", "h1 CHAPTER I. The Sea", "p It was late.",
                "# Chapter 2.", "h1 Chapter 2.", "p The end.",
            ])
        #expect(document.chapters.flatMap(\.blocks).map(\.place.line) == [1, 3, 6, 9, 12, 14])
    }

    @Test(
        "Headings in plain text are recognized",
        arguments: [
            ("Chapter One", true), ("KAPITEL 7", true), ("IV.", true), ("12", true), ("Prologue", true),
            ("PART THE FIRST", true),
            ("Глава 3", true), ("Book 2: The Road", true), ("I", true), ("Part of it was lost.", false),
            ("Book three seats, please,", false), ("He said so.", false), ("1984", true), ("Chapter", true),
            ("19845", false),
            ("Act now, and you will be rewarded", false), ("MIX", false),
        ])
    func headings(line: String, isHeading: Bool) {
        #expect((PlainTextReader.heading([line]) != nil) == isHeading, "\(line)")
    }

    @Test("Plain text may be UTF-16 or Windows-1252, with or without a byte order mark")
    func encodings() throws {
        let text = "Na\u{EF}ve \u{201C}caf\u{E9}\u{201D}"
        let wide = [UInt16(0xFEFF)] + Array(text.utf16)
        for bytes in [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
            wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
            Array("Na".utf8) + [0xEF] + Array("ve ".utf8) + [0x93] + Array("caf".utf8) + [0xE9, 0x94],
        ] { #expect(try Document.read(bytes).outline == ["# -", "p \(text)"]) }
    }

    @Test("In HTML, chapters start at the highest heading level that occurs more than once")
    func page() throws {
        let html =
            "<!DOCTYPE html><html lang=en><head><title>Notes</title><meta name=author content=Ann></head><body>"
            + "<h1>Notes</h1><h2>One</h2><p>a</p><h3>x</h3><p>b</p><h2>Two</h2><p>c</p></body></html>"
        let document = try Document.read(Array(html.utf8))
        #expect(document.title == "Notes" && document.authors == ["Ann"] && document.language == "en")
        #expect(
            document.outline == [
                "# One", "h1 Notes", "h2 One", "p a", "h3 x", "p b", "# Two", "h2 Two", "p c",
            ])
    }

    @Test("Other formats are rejected")
    func others() {
        for bytes in [Array("%PDF-1.7\n…".utf8), [0, 1, 2, 3], [0x89] + Array("PNG\r\n".utf8) + [0, 0]] {
            #expect(throws: DocumentFailure.unknownFormat) { try Document.read(bytes) }
        }
        #expect(throws: DocumentFailure.empty) { try Document.read(Array(" \n\n".utf8)) }
        #expect(throws: DocumentFailure.empty) { try Document.read([]) }
    }

    @Test("Words are counted, with each Chinese or Japanese character counting as one word")
    func words() throws {
        let chapter = try Document.read(Array("One two\nthree.\n\n漢字かな、ok".utf8)).chapters[0]
        #expect(chapter.words == 3 + 4)
    }

    @Test("Chapters are selected by number")
    func choice() {
        func numbers(_ text: String) -> [Int]? { ChapterChoice(text).map { choice in (1...9).filter(choice.contains) } }
        #expect(numbers("3") == [3] && numbers("3-5") == [3, 4, 5] && numbers("1,4-") == [1, 4, 5, 6, 7, 8, 9])
        #expect(numbers("2, 4-5") == [2, 4, 5] && numbers("7-7") == [7])
        for text in ["", "0", "a", "5-3", "1-2-3", "-3", "1,,2", "99999999999999999999"] {
            #expect(numbers(text) == nil, "\(text)")
        }
    }

    @Test("Headers and page numbers are removed from plain text, and sentences continue on the next page")
    func pages() {
        let pages = [
            "The Book\n\nIt was a\nlong\n\n17\n", "The Book\n\nsentence.\n\nThen it ended.\n\n18\n",
            "The Book\n\nNew.\n\nxix\n",
            "\n\n",
        ]
        let text = pages.joined(separator: "\u{C}") + "\u{C}"
        let blocks = PlainTextReader(Array(text.utf8)).chapters().flatMap(\.blocks).map(\.text)
        #expect(blocks == ["It was a long sentence.", "Then it ended.", "New."])
        #expect(FoldedPages("no pages") == nil)
        // Two pages are too few to detect a header.
        #expect(FoldedPages("Head\nOne of\u{C}Head\nTwo\u{C}")?.text == "Head\nOne of\nHead\nTwo")
        #expect(FoldedPages("\u{C}\u{C}")?.text == "")
    }

    @Test(
        "Searching by bytes finds the same lines, words and single spaces as searching by characters",
        arguments: [
            "", "\n", "one\ntwo", "one\r\ntwo\rthree\n", "a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{2029}f",
            "\u{2018}a\u{2019}\n\n\u{E2}b",
            "  two  words \t and\u{A0}more \u{3000}", "\u{4F60}\u{597D} \u{4E16}\u{754C} ok", " ", "a b", "a b ",
            "\r\n\r\n",
        ])
    func bytes(text: String) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        #expect(text.lines == lines)
        let words = text.split(whereSeparator: \.isWhitespace)
        #expect(text.singleSpaced == words.joined(separator: " "))
        let counts = words.map { word in word.unicodeScalars.count { (0x3400...0x9FFF).contains($0.value) } }
        #expect(Document.Block(.paragraph, text, at: .init(line: 0)).words == counts.reduce(0) { $0 + max(1, $1) })
    }
}
