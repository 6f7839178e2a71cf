import SynthDocuments
import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// Reads documents for the page: `/api/documents`. The request body is the document. A separate, unprivileged process
/// parses it. A request cannot refer to a file by its path.
struct DocumentRoutes: Sendable {
    private let program: DocumentProgram
    private let limits: ServiceLimits
    /// Limits how many documents are read at the same time.
    private let places: Budget

    init(_ program: DocumentProgram, _ limits: ServiceLimits) {
        self.program = program
        self.limits = limits
        places = Budget(limit: limits.documents)
    }

    var routes: [WebRoute] {
        [
            WebRoute("POST", .exact("/api/documents"), .access, longestBody: limits.documentBytes, read)
        ]
    }

    @Sendable private func read(_ request: WebRequest, _ answer: WebAnswer) throws {
        let form = try form(request)
        guard places.take(1) else { throw WebFailure.problem(.busy) }
        let document: Document
        do {
            defer { places.release(1) }
            document = try read(request.body, as: form, answer)
        }
        try answer.begin(.ok, "application/json", [("Cache-Control", "no-store")])
        try DocumentText(document).write { piece in try answer.write(piece) }
        try answer.end()
    }

    private func form(_ request: WebRequest) throws -> DocumentForm? {
        guard let name = request.query["form"] else { return nil }
        let known: [DocumentForm] = [.book, .page, .markdown, .docx, .fictionBook]
        guard let form = known.first(where: { $0.rawValue == name }) else {
            throw WebFailure.problem(.invalid("form", .oneOf(known.map(\.rawValue))))
        }
        return form
    }

    private func read(
        _ body: [UInt8], as form: DocumentForm?, _ answer: WebAnswer
    ) throws -> Document {
        let file: Descriptor
        let stop: Descriptor
        // Closing this end of the pipe cancels reading.
        let writing = Monitor<Descriptor?>(nil)
        do {
            file = try Descriptor.unnamed(in: limits.spoolFolder)
            try file.writeAll(body)
            // The process that reads the document shares this process's file offset, so rewind the file first.
            try file.rewind()
        } catch {
            throw WebFailure.problem(.notKept(error))
        }
        do {
            let pipe = try Descriptor.pipe()
            stop = pipe.reading
            writing.update { $0 = pipe.writing }
        } catch {
            throw WebFailure.problem(.error(Self.unreadable(.program(.notStarted(error.code)))))
        }
        return try answer.whileConnected({ writing.update { $0 = nil } }) {
            do throws(DocumentFailure) {
                return try program.read(file, as: form, [.scans], until: stop)
            } catch {
                if writing.read({ $0 == nil }) { throw WebFailure.stopped }
                throw WebFailure.problem(.error(Self.unreadable(error)))
            }
        }
    }

    private static func unreadable(_ failure: DocumentFailure) -> SpeechError {
        SpeechError(document: "The file", failure)
    }
}

/// A document as JSON, written in chunks so that the complete JSON text is not held in memory while a slow client reads
/// it.
private struct DocumentText {
    private let document: Document

    /// The approximate chunk size in bytes.
    private static let piece = 16 << 10

    init(_ document: Document) { self.document = document }

    /// Writes the document as one line.
    func write(_ write: ([UInt8]) throws -> Void) throws {
        let authors = document.authors.map(JSONString.quoted).joined(separator: ",")
        var text = Array(
            "{\"title\":\(Self.quoted(document.title)),\"authors\":[\(authors)],".utf8)
        text += Array("\"language\":\(Self.quoted(document.language)),\"chapters\":[".utf8)
        for (number, chapter) in document.chapters.enumerated() {
            let level = chapter.level.map { "\"level\":\($0)," } ?? ""
            text += Array("\(number > 0 ? "," : ""){\"title\":\(Self.quoted(chapter.title)),\(level)\"blocks\":[".utf8)
            for (position, block) in chapter.blocks.enumerated() {
                if position > 0 { text.append(UInt8(ascii: ",")) }
                text += JSONWriter.line(of: JSONNode(block.members)).utf8
                if text.count < Self.piece { continue }
                try write(text)
                text = []
            }
            text += Array("]}".utf8)
        }
        text += Array("]\(gaps)}\n".utf8)
        try write(text)
    }

    /// The members that list missing files and scanned pages, whose text could not be read. Empty lists are omitted.
    private var gaps: String {
        let files = (document.missing ?? []).map(JSONString.quoted).joined(separator: ",")
        let pages = document.scannedPages.map(String.init).joined(separator: ",")
        return (files.isEmpty ? "" : ",\"missingFiles\":[\(files)]")
            + (pages.isEmpty ? "" : ",\"scannedPages\":[\(pages)]")
    }

    private static func quoted(_ text: String?) -> String { text.map(JSONString.quoted) ?? "null" }
}

extension Document.Block {
    /// The JSON members for clients. Optional members are omitted if they are false or nil.
    fileprivate var members: [JSONNode.Member] {
        var members: [JSONNode.Member] = [.init("kind", .string(name)), .init("text", .string(text))]
        switch kind {
        case .heading(let level): members.append(.init("level", .number(Double(level))))
        case .item(let depth, let number):
            members.append(.init("depth", .number(Double(depth))))
            if let number { members.append(.init("number", .number(Double(number)))) }
        default: break
        }
        if isQuoted { members.append(.init("quoted", .boolean(true))) }
        if let language { members.append(.init("language", .string(language))) }
        return members
    }

    private var name: String {
        switch kind {
        case .heading: "heading"
        case .paragraph: "paragraph"
        case .item: "item"
        case .row: "row"
        case .figure: "figure"
        case .code: "code"
        case .scene: "scene"
        }
    }
}
