import CommandSupport
import Foundation
import SynthDocuments
import SynthSystem
import Testing
import TestSupport

@Suite("book", .ownThreads)
struct BookCommandTests {
    private static let book = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Documents/lamp.epub").path

    @Test("The chapters are listed with word counts and durations, and a hint explains how to play one")
    func list() throws {
        let result = try UserHome().run("book", Self.book)
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            result.text == """
                The Lamp, by Nobody in Particular
                NO  CHAPTER     WORDS  TIME
                 1  The Door        6   2 s
                 2  The Window      6   2 s
                12 words, about 4 s of speech

                """)
        #expect(
            result.errors == """
                To hear one, type: synthhost speak -f \(Self.book) --chapters 2
                To make an audiobook, type: synthhost book \(Self.book) -o FOLDER

                """)
    }

    @Test("All chapters, or only the requested ones, are listed as JSON")
    func json() throws {
        let result = try UserHome().run("book", Self.book, "--json", "--chapters", "2-")
        #expect(
            result.text
                == #"{"authors":["Nobody in Particular"],"chapters":[{"level":1,"number":2,"seconds":2,"title":"The Window","words":6}],"#
                + #""language":"en","title":"The Lamp"}"# + "\n")
    }

    @Test("File errors are reported with the remedy")
    func mistakes() throws {
        let home = try UserHome()
        let missing = try home.run("book", home.file("gone.epub"))
        #expect(missing.errors.contains("Pass a file that exists"))
        #expect(missing.code == 66 && missing.errors.contains("gone.epub"))
        try home.write("PK\u{3}\u{4}no archive", to: "broken.epub")
        let broken = try home.run("book", home.file("broken.epub"))
        #expect(broken.code == 66 && broken.errors.contains("broken.epub cannot be read: it is not a complete archive"))
        #expect(broken.errors.contains("Download the document again"))
        try home.write("\0\u{1}", to: "other.bin")
        #expect(
            try home.run("book", home.file("other.bin")).errors.contains(
                "is not a supported document: it is not EPUB, PDF, DOCX, FB2, HTML, Markdown or plain text."))
        let far = try home.run("book", Self.book, "--chapters", "9")
        #expect(far.code == 64 && far.errors.contains("has only chapters 1 to 2."))
        let wrong = try home.run("book", Self.book, "--chapters", "x")
        #expect(wrong.code == 64 && wrong.errors.contains("numbers such as 3, 3-7 or 1,4-"))
    }

    @Test("A different book with the same title is not replaced, and the error tells the user what to do")
    func sameTitle() throws {
        let home = try UserHome()
        func page(_ author: String) -> String {
            "<html><head><title>Poems</title><meta name=\"author\" content=\"\(author)\"></head><body><p>By \(author).</p></body></html>"
        }
        try home.write(page("Ann Lee"), to: "ann.html")
        try home.write(page("Bob May"), to: "bob.html")
        func book(_ name: String) throws -> ChildResult {
            try home.run("book", home.file(name), "-e", "espeak-ng", "-o", home.file("out"), "--format", "wav")
        }
        let first = try book("ann.html")
        #expect(first.code == 0, "\(first.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: home.file("out")).filter {
            $0.hasSuffix(".wav")
        }
        let sound = try home.data("out/\(try #require(files.first))")
        let second = try book("bob.html")
        #expect(second.code == 73, "\(second.errors)")
        #expect(
            second.errors.contains(
                "\(home.file("out")) already contains the files of a different book: Poems by Ann Lee. Nothing was changed."
            )
                && second.errors.contains("Choose a different folder with -o."), "\(second.errors)")
        #expect(try home.data("out/\(try #require(files.first))") == sound)
        #expect(try book("ann.html").code == 0)
    }

    @Test("`speak` reads a book chapter by chapter, omitting notes")
    func speak() throws {
        let home = try UserHome()
        let all = try home.run("speak", "-f", Self.book, "--show-text")
        #expect(all.code == 0, "\(all.errors)")
        #expect(all.text.contains("The Door") && all.text.contains("A lamp stood here.") && all.text.contains("twice"))
        #expect(!all.text.contains("Nobody reads this"))
        let second = try home.run("speak", "-f", Self.book, "--chapters", "2", "--show-text")
        #expect(second.text.contains("It shone.") && !second.text.contains("lamp stood"))
        let sound = try home.run("speak", "-f", Self.book, "--chapters", "2", "-o", home.file("two.wav"))
        #expect(sound.code == 0 && home.exists("two.wav"), "\(sound.errors)")
        try home.write("<p>Some <b>words</b></p>", to: "page.html")
        #expect(try home.run("speak", "-f", home.file("page.html"), "--show-text").text.contains("Some words"))
        // An explicit format takes precedence over the file extension.
        #expect(try home.run("speak", "-f", home.file("page.html"), "--tokens", "--show-text").text.contains("<p>"))
        try home.write("# One\n\nFirst *words*.\n\n    code()\n\n# Two\n\nPage 7\n\nLast words.\n", to: "notes.md")
        let notes = home.file("notes.md")
        #expect(try home.run("book", notes).text.contains(" 2  Two"))
        let part = try home.run("speak", "-f", notes, "--chapters", "2", "--skip", "page *", "--show-text")
        #expect(part.text == "Two\nLast words.\n", "\(part)")
        let unused = try home.run("book", notes, "--skip", "nothing*")
        #expect(unused.code == 0 && unused.errors.contains("No paragraph of \(notes) matches --skip \"nothing*\"."))
        try home.write("CHAPTER 1\n\nFirst words.\n\nCHAPTER 2\n\nLast words.\n", to: "plain.txt")
        let plain = try home.run("speak", "-f", home.file("plain.txt"), "--chapters", "1", "--show-text")
        #expect(plain.text.contains("First words.") && !plain.text.contains("Last"))
        let alone = try home.run("speak", "--chapters", "2", "Hello")
        #expect(alone.code == 64 && alone.errors.contains("--file"))
    }

    @Test("PDFs are read using poppler's programs, without headers and page numbers")
    func pdf() throws {
        let home = try UserHome()
        let pages = [
            ["The Book", "A sentence begins", "1"], ["The Book", "here and ends.", "2"],
            ["The Book", "Another one.", "3"],
        ]
        try home.write(TestPDF(pages).bytes, to: "book.pdf")
        let spoken = try home.run("speak", "-f", home.file("book.pdf"), "--show-text")
        #expect(spoken.text == "A sentence begins here and ends.\nAnother one.\n", "\(spoken)")
        try home.write(Array("%PDF-1.4\nnothing\n".utf8), to: "broken.pdf")
        let broken = try home.run("book", home.file("broken.pdf"))
        #expect(broken.code == 66 && broken.errors.contains("that pdftohtml cannot read"), "\(broken.errors)")
        let without = try home.runProcess("book", home.file("book.pdf"), adding: ["PATH": "/none"])
        #expect(without.code == 66 && without.errors.contains("sudo apt install poppler-utils"))
    }

    @Test("Scanned pages of a PDF are reported")
    func scannedPages() throws {
        let home = try UserHome()
        let path = URL(filePath: Self.book).deletingLastPathComponent().appending(path: "partly-scanned.pdf").path
        let result = try home.run("speak", "-f", path, "--show-text")
        #expect(result.code == 0 && result.text.contains("Hello there"))
        #expect(
            result.errors.contains(
                "partly-scanned.pdf are images without text and are not read: 2, 4 and 5. To recognize their text, type: ocrmypdf --skip-text"
            ), "\(result.errors)")
    }

    @Test("Files that are missing from a book are reported")
    func missingFiles() throws {
        let home = try UserHome()
        let path = URL(filePath: Self.book).deletingLastPathComponent().appending(path: "incomplete.epub").path
        let result = try home.run("speak", "-f", path, "--show-text")
        #expect(result.code == 0 && result.text.contains("Only this chapter is in the file."))
        #expect(
            result.errors.contains(
                "incomplete.epub refers to files that it does not contain, so some text may be missing: b.xhtml."),
            "\(result.errors)")
    }

    @Test("A crash of the document reader is reported as an error")
    func died() throws {
        let home = try UserHome()
        try GeneratedProgram.write("#!/bin/sh\nkill -SEGV $$\n", to: home.file("read"))
        let program = DocumentProgram(path: home.file("read"))
        let file = try Descriptor.open(Self.book, O_RDONLY)
        #expect(throws: DocumentFailure.program(.crashed(signal: SIGSEGV))) { try program.read(file) }
        try GeneratedProgram.write("#!/bin/sh\necho rubbish\n", to: home.file("read"))
        #expect(throws: DocumentFailure.program(.died)) { try program.read(file) }
        #expect(throws: DocumentFailure.program(.notStarted(ENOENT))) {
            try DocumentProgram(path: home.file("gone")).read(file)
        }
    }
}

/// A PDF whose pages contain lines of Latin letters.
private struct TestPDF {
    private(set) var bytes: [UInt8] = Array("%PDF-1.4\n".utf8)

    init(_ pages: [[String]]) {
        var places: [Int] = []
        func add(_ object: String) {
            places.append(bytes.count)
            bytes += Array("\(places.count) 0 obj\n\(object)\nendobj\n".utf8)
        }
        let kids = pages.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
        add("<</Type/Catalog/Pages 2 0 R>>")
        add("<</Type/Pages/Kids[\(kids)]/Count \(pages.count)>>")
        add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
        for (index, lines) in pages.enumerated() {
            add(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F 3 0 R>>>>/Contents \(5 + 2 * index) 0 R>>"
            )
            let said = lines.enumerated().map { "BT /F 12 Tf 20 \(280 - 100 * $0.offset) Td (\($0.element)) Tj ET" }
                .joined(separator: "\n")
            add("<</Length \(said.utf8.count)>>stream\n\(said)\nendstream")
        }
        let start = bytes.count
        let table = places.map { place in
            let digits = String(place)
            return String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        let head = "xref\n0 \(places.count + 1)\n0000000000 65535 f \n\(table.joined())"
        let trailer = "trailer<</Size \(places.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
        bytes += Array((head + trailer).utf8)
    }
}
