import Foundation
import SynthDocuments
import SynthHostTesting
import SynthJSON
import SynthSystem
import SynthWeb
import Testing
import TestSupport

@testable import SynthService

@Suite("Documents over HTTP", .ownThreads)
struct DocumentRoutesTests {
    private let engine = TestEngine(framesPerByte: 1)
    private static let path = "/api/documents"
    private static let lamp = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Documents/lamp.epub").path

    private func serving(
        _ limits: ServiceLimits = ServiceLimits(), isOpen: Bool = true, program: String? = nil,
        within time: Duration = .seconds(600), _ body: (WebServing) throws -> Void
    ) throws {
        let documents = DocumentProgram(
            path: program ?? "\(BuildFolder.path)/synthhost-read", within: time, silence: .seconds(600))
        try WebServing.run(engine, limits, isOpen: isOpen, documents: documents, body)
    }

    private func post(_ web: WebServing, _ bytes: [UInt8], _ query: String = "") throws -> WebReply {
        let client = try web.client()
        try client.send(web.head("POST \(Self.path)\(query) HTTP/1.1", "Content-Length: \(bytes.count)") + "\r\n")
        try client.send(bytes)
        return try client.reply()
    }

    @Test("Documents in every format are parsed into chapters that consist of blocks")
    func formats() throws {
        let page = "<html lang='de'><title>Eins</title><h1>Erstes</h1><p>Ein Satz.</p><ul><li>Punkt</li></ul>"
        let markdown = "# One\n\nA *word*.\n\n> Said.\n\n3. Third\n"
        try serving { web throws in
            let book = try post(web, try readWholeFile(Self.lamp, limit: 1 << 20))
            #expect(book.status == 200 && book["content-type"] == "application/json")
            #expect(book["cache-control"] == "no-store" && book["x-content-type-options"] == "nosniff")
            let chapters = book.json?.elements("chapters") ?? []
            #expect(chapters.count > 1 && chapters.allSatisfy { !$0.elements("blocks").isEmpty })
            #expect(book.json?.text("title")?.isEmpty == false)

            let read = try post(web, Array(page.utf8), "?form=page").json
            #expect(read?.text("title") == "Eins" && read?.text("language") == "de")
            let blocks = read?.elements("chapters").first?.elements("blocks") ?? []
            #expect(blocks.map { $0.text("kind") } == ["heading", "paragraph", "item"])
            #expect(blocks.map { $0.text("text") } == ["Erstes", "Ein Satz.", "Punkt"])
            #expect(blocks[0].number("level") == 1 && blocks[2].number("depth") == 1)

            let marked = try post(web, Array(markdown.utf8), "?form=markdown").json
            let parts = marked?.elements("chapters").first?.elements("blocks") ?? []
            #expect(parts.map { $0.text("text") } == ["One", "A word.", "Said.", "Third"])
            #expect(parts[2].flag("quoted") == true && parts[3].number("number") == 3)

            let plain = try post(web, Array("First “one”.\n\nAnd more.".utf8)).json
            #expect(
                plain?.elements("chapters").first?.elements("blocks").map { $0.text("text") }
                    == ["First “one”.", "And more."])
        }
    }

    @Test("PDFs are also read, and their bookmarks become chapters")
    func pdf() throws {
        let path = URL(filePath: Self.lamp).deletingLastPathComponent().appending(path: "PDF/latex-paper.pdf").path
        try serving { web throws in
            let read = try post(web, try readWholeFile(path, limit: 1 << 20))
            #expect(
                read.status == 200 && read.json?.text("title") == "A Survey of the River", "\(read.text.prefix(200))")
            #expect(read.json?.elements("chapters").map { $0.text("title") }.suffix(2) == ["Results", "Discussion"])
        }
    }

    @Test("Scanned pages and missing files are listed only if there are any")
    func gaps() throws {
        let folder = URL(filePath: Self.lamp).deletingLastPathComponent()
        try serving { web throws in
            let read = { (name: String) throws in
                try post(web, try readWholeFile(folder.appending(path: name).path, limit: 1 << 20)).text
            }
            #expect(try read("partly-scanned.pdf").hasSuffix(#"],"scannedPages":[2,4,5]}"# + "\n"))
            #expect(try read("incomplete.epub").hasSuffix(#"],"missingFiles":["b.xhtml"]}"# + "\n"))
            #expect(try read("lamp.epub").hasSuffix("]}]}\n"))
        }
    }

    @Test("A document that cannot be read is rejected, and the error includes the reason")
    func refused() throws {
        try serving { web throws in
            for (bytes, status, code) in [
                (Array("%PDF-1.4 x".utf8), 422, "document_damaged"),
                (Array("{\\rtf1 x}".utf8), 422, "document_unknown"),
                ([0x7F, 0x45, 0x4C, 0x46, 0, 0], 422, "document_unknown"),
                (Array("PK\u{3}\u{4}short".utf8), 422, "document_damaged"), (Array("  \n".utf8), 422, "document_empty"),
                ([], 422, "document_empty"),
            ] {
                let reply = try post(web, bytes)
                #expect(reply.status == status && reply.errorCode == code, "\(bytes.prefix(4)): \(reply.text)")
            }
            let form = try post(web, Array("a".utf8), "?form=../../etc/passwd")
            #expect(form.status == 400 && form.errorCode == "invalid_parameter")
            #expect(try web.ask("GET", Self.path).status == 405)
        }
    }

    @Test("The size limit is higher for documents than for other bodies")
    func sizes() throws {
        var limits = ServiceLimits()
        limits.documentBytes = 8 << 20
        try serving(limits) { web throws in
            // The text exceeds the maximum length of a speech request.
            let text = String(repeating: "A word, and another one. ", count: 200_000)
            #expect(try post(web, Array(text.utf8)).status == 200)
            let call = try web.ask("POST", "/v1/audio/speech", body: #"{"input":"\#(text)"}"#)
            #expect(call.status == 413)
            let client = try web.client()
            try client.send(web.head("POST \(Self.path) HTTP/1.1", "Content-Length: \((8 << 20) + 1)") + "\r\n")
            #expect(try client.reply().status == 413)
            // No data from the rejected document is kept.
            web.server.bodies.waitForTaken(0)
        }
    }

    @Test("Reading documents requires permission to speak, and requests from untrusted pages are rejected")
    func access() throws {
        try serving(isOpen: false) { web throws in
            #expect(try post(web, Array("A word.".utf8)).status == 401)
            #expect(try web.ask("POST", Self.path, WebServing.bearer, body: "A word.").status == 200)
            let elsewhere = WebServing.bearer + [("Origin", "http://evil.example")]
            #expect(try web.ask("POST", Self.path, elsewhere, body: "A word.").status == 403)
        }
        try WebServing.run(engine) { web throws in
            // The route exists only if there is a reader program.
            #expect(try web.ask("POST", Self.path, body: "A word.").status == 404)
        }
    }

    @Test("If the reader program hangs, the request fails and the program is terminated")
    func hangs() throws {
        let folder = try TemporaryFolder()
        // The incomplete output of a hung program is not mistaken for a document.
        try GeneratedProgram.write("#!/bin/sh\necho '{'\nexec sleep 1000\n", to: folder.file("read"))
        try serving(program: folder.file("read"), within: .milliseconds(200)) { web throws in
            let reply = try post(web, Array("A word.".utf8))
            #expect(reply.status == 500 && reply.errorCode == "document_not_read")
        }
        try serving(program: folder.file("none")) { web throws in
            #expect(try post(web, Array("A word.".utf8)).errorCode == "document_not_read")
        }
    }

    @Test("The number of documents read concurrently is limited, and reading stops when the client disconnects")
    func atOnce() throws {
        let folder = try TemporaryFolder()
        let life = folder.file("life")
        #expect(mkfifo(life, 0o600) == 0)
        try GeneratedProgram.write("#!/bin/sh\nexec 3>\(life)\nexec sleep 1000\n", to: folder.file("read"))
        var limits = ServiceLimits()
        limits.documents = 1
        try serving(limits, program: folder.file("read"), within: .seconds(600)) { web throws in
            let first = try web.client()
            try first.send("POST", Self.path, body: "A word.")
            // Opening succeeds once the program has started, and reaching the end of the file shows that it has exited.
            let end = try Descriptor.open(life, O_RDONLY)
            let other = try post(web, Array("Another.".utf8))
            #expect(other.status == 503 && other.errorCode == "busy")
            first.stream.stop()
            #expect(try end.readAll(limit: 1).isEmpty)
        }
    }
}
