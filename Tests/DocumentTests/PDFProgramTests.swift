import Foundation
import SynthSystem
import TestSupport
import Testing

@testable import SynthDocuments

/// PDFs generated from known texts by `Scripts/tables/make-pdfs`. They are read as the commands and the service would
/// read them.
@Suite("Reading PDFs with pdftohtml", .ownThreads)
struct PDFProgramTests {
    private static let documents = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Documents")
    private static let folder = documents.appending(path: "PDF")
    /// The PDFs in the project, and those that continuous integration creates with the current versions of the producers.
    private static let paths = [folder.path, ProcessInfo.processInfo.environment["PRODUCERS_PDFS"]].compactMap(\.self)
        .flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".pdf") }
                .sorted()
                .map { "\(folder)/\($0)" }
        }

    private static func read(_ path: String, _ extras: Set<DocumentExtra> = [], environment: [String: String]? = nil)
        throws -> Document
    {
        let program = DocumentProgram(path: "\(BuildFolder.path)/synthhost-read", environment: environment)
        return try program.read(try Descriptor.open(path, O_RDONLY), as: .pdf, extras)
    }

    /// The words in lowercase, without punctuation.
    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }.filter
        { !$0.isEmpty }
    }

    /// A heading without its number.
    private static func bare(_ title: String) -> String {
        let words = title.lowercased().split(separator: " ")
        let rest = words.drop { $0 == "chapter" || $0.allSatisfy { $0.isNumber || $0 == "." } }
        return rest.joined(separator: " ")
    }

    @Test(
        "PDFs from each producer are read completely and in order, with headings as chapters, and without headers and footers",
        arguments: paths)
    func producers(path: String) throws {
        let name = URL(filePath: path).lastPathComponent
        let text = name.split(separator: "-").last.map { $0.dropLast(4) } ?? ""
        let source = try String(contentsOf: Self.folder.appending(path: "\(text).txt"), encoding: .utf8)
        let lines = source.split(separator: "\n").map { String($0.drop { $0 == "#" || $0 == " " }) }
        let document = try Self.read(path)
        let wanted = Self.words(lines.joined(separator: " "))
        let found = Self.words(document.chapters.flatMap(\.blocks).map(\.text).joined(separator: " "))
        let changes = found.difference(from: wanted)
        #expect(changes.removals.count * 100 <= wanted.count, "lost: \(changes.removals.prefix(20))")
        #expect(changes.insertions.count * 100 <= wanted.count, "added: \(changes.insertions.prefix(20))")
        let headings = source.split(separator: "\n").filter { $0.hasPrefix("#") }.map {
            Self.bare(String($0.drop { $0 == "#" || $0 == " " }))
        }
        #expect(document.chapters.compactMap(\.title).map(Self.bare) == headings)
        #expect(
            document.title == lines[0] || name.hasPrefix("groff") || name == "latex-report.pdf",
            "\(document.title ?? "-")")
    }

    @Test(
        "If requested, footnotes follow the text that refers to them",
        arguments: ["latex-paper", "groff-paper", "typst-paper", "libreoffice-paper", "weasyprint-manual"])
    func notes(name: String) throws {
        let blocks = try Self.read(Self.folder.appending(path: "\(name).pdf").path, [.notes]).chapters.flatMap(\.blocks)
        #expect(blocks.count { $0.text.hasPrefix("Note: ") && $0.text.hasSuffix(".") } == 3)
    }

    @Test("Encrypted PDFs and scanned PDFs are reported as such, and copy protection does not prevent reading")
    func forms() throws {
        #expect(throws: DocumentFailure.locked) { try Self.read(Self.documents.appending(path: "locked.pdf").path) }
        #expect(throws: DocumentFailure.scanned) { try Self.read(Self.documents.appending(path: "scan.pdf").path) }
        #expect(
            try Self.read(Self.documents.appending(path: "nocopy.pdf").path).chapters.flatMap(\.blocks).map(\.text) == [
                "Hello there, this may not be copied."
            ])
    }

    @Test("Scanned pages between pages with text are listed, but blank pages and small images are not")
    func partlyScanned() throws {
        let path = Self.documents.appending(path: "partly-scanned.pdf").path
        #expect(try Self.read(path, [.scans]).pagesWithoutText == [2, 4, 5])
        #expect(try Self.read(path).pagesWithoutText == nil)
        let listing = """
            page   num  type   width height color comp bpc  enc interp  object ID x-ppi y-ppi size ratio
            --------------------------------------------------------------------------------------------
               1     0 image    1654  2339  gray    1   8  jpeg   no         7  0   200   200  120K 3.2%
               2     1 image     100   100  gray    1   8  image  no         8  0   200   200  120B 3.2%
               2     2 smask    1654  2339  gray    1   8  image  no         9  0   200   200  120K 3.2%
               3     3 stencil  1700   600  -       1   1  ccitt  no  [inline]     200   200  120K 3.2%
               3     4 stencil  1700   600  -       1   1  ccitt  no  [inline]     200   200  120K 3.2%
               4     5 image    1654  2339  gray    1   8  jpeg   no        12  0     0     0  120K 3.2%
               x     6 image    1654  2339  gray    1   8  jpeg   no        12  0   200   200  120K 3.2%
            """
        #expect(PDFImages(Array(listing.utf8)).scans(among: [1, 2, 3, 4, 5]) == [1, 3])
        #expect(PDFImages(Array(listing.utf8)).scans(among: [2, 3]) == [3])
        #expect(PDFImages([]).scans(among: [1]).isEmpty)
    }

    @Test(
        "The program that reads a PDF cannot open files or start other programs",
        .enabled(if: Confinement.landlockVersion > 0))
    func confined() throws {
        let home = try UserHome()
        try home.write(Array("secret".utf8), to: "secret")
        try GeneratedProgram.write(
            """
            #!/bin/sh
            echo '<page number="1" width="1000" height="1000">'
            if read line < \(home.file("secret")); then echo '<text top="1" left="1" width="9" height="9" font="0">opened</text>'; fi
            if echo x > \(home.file("written")); then echo '<text top="20" left="1" width="9" height="9" font="0">wrote</text>'; fi
            echo '<text top="40" left="1" width="9" height="9" font="0">Nothing.</text>'
            (echo '<text top="60" left="1" width="9" height="9" font="0">started</text>')
            """, to: home.file("pdftohtml"))
        let path = Self.documents.appending(path: "nocopy.pdf").path
        let failure = #expect(throws: DocumentFailure.self) {
            try Self.read(path, environment: ["PATH": "\(home.path):/usr/bin:/bin"])
        }
        // A shell exits if it is not allowed to start a program.
        #expect(failure == .damaged("is a PDF that pdftohtml cannot read"))
        #expect(!FileManager.default.fileExists(atPath: home.file("written")))
        try GeneratedProgram.write(
            """
            #!/bin/sh
            echo '<page number="1" width="1000" height="1000">'
            if read line < \(home.file("secret")); then echo '<text top="1" left="1" width="9" height="9" font="0">opened</text>'; fi
            echo '<text top="40" left="1" width="9" height="9" font="0">Nothing.</text>'
            """, to: home.file("pdftohtml"))
        let document = try Self.read(path, environment: ["PATH": "\(home.path):/usr/bin:/bin"])
        #expect(document.chapters.flatMap(\.blocks).map(\.text) == ["Nothing."])
    }

    @Test("If a program is not installed, the error names it")
    func missing() throws {
        #expect(throws: DocumentFailure.programMissing("pdftohtml")) {
            try Self.read(Self.documents.appending(path: "nocopy.pdf").path, environment: ["PATH": "/none"])
        }
    }
}
