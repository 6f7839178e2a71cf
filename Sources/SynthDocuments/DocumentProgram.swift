import Glibc
import SynthJSON
package import SynthSystem

/// Reads documents in a process of its own, `synthhost-read`, which has no rights but to compute: what is in a document may be hostile.
package struct DocumentProgram: Sendable {
    private let path: String
    private let environment: [String: String]?

    /// More of a document is not taken from the program.
    private static let largest = 256 << 20
    /// How often it is looked what the program does.
    private static let glance = Duration.milliseconds(100)
    /// Of its own time, for a program that has closed its output to be gone.
    private static let end = Duration.seconds(1)
    private let time: Duration?
    private let silence: Duration
    private let starter: ProgramStarter?

    /// - Parameters:
    ///   - path: of the program.
    ///   - environment: its variables; nil = those of this process.
    ///   - time: that a document may take; nil = as long as something comes. Time in which its reader waits for the machine
    ///     does not count.
    ///   - silence: a program that says nothing for so long hangs. Such time does not count here either.
    ///   - starter: starts it; nil = this process does.
    package init(
        path: String, environment: [String: String]? = nil, within time: Duration? = nil,
        silence: Duration = .seconds(60), by starter: ProgramStarter? = nil
    ) {
        self.time = time
        self.silence = silence
        self.starter = starter
        self.path = path
        self.environment = environment
    }

    /// Reads a document. Blocks.
    ///
    /// - Parameters:
    ///   - file: open for reading, at its beginning. A book is in a file on a disk.
    ///   - form: what its name says; nil = its content tells.
    ///   - extras: what of it is wanted besides.
    ///   - stop: the reading end of a pipe: when its writing end is closed, nobody waits for the document any more. Then it
    ///     counts as silent.
    package func read(
        _ file: Descriptor, as form: DocumentForm? = nil, _ extras: Set<DocumentExtra> = [],
        until stop: Descriptor? = nil
    ) throws(DocumentFailure) -> Document {
        guard PDFProgram.isPDF(file) else { return try read(file, facts: nil, as: form, extras, until: stop) }
        var extraction: PDFExtraction
        do {
            extraction = try PDFExtraction(of: file, by: path, environment: environment, starter: starter)
        } catch {
            throw .program(.notStarted(error.code))
        }
        let document: Document
        do {
            document = try read(extraction.pages, facts: extraction.facts, as: .printed, extras, until: stop)
        } catch {
            // Without any page the cause is more likely there.
            guard error == .empty || error == .scanned else { throw error }
            throw extraction.failure() ?? error
        }
        if let failure = extraction.failure() { throw failure }
        return document
    }

    /// - Parameter facts: of a PDF.
    private func read(
        _ file: Descriptor, facts: Descriptor?, as form: DocumentForm?, _ extras: Set<DocumentExtra>,
        until stop: Descriptor?
    ) throws(DocumentFailure) -> Document {
        let output: Descriptor
        let process: Int32
        var running: RunningProgram
        do {
            let pipe = try Descriptor.pipe()
            var spawn = Spawn(group: .own)
            try spawn.pass(file.raw, as: STDIN_FILENO)
            try spawn.pass(pipe.writing.raw, as: STDOUT_FILENO)
            if let facts { try spawn.pass(facts.raw, as: PDFProgram.factsNumber) }
            spawn.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
            spawn.work(in: "/")
            process = try spawn.start(
                path, arguments: ((form.map { [$0.rawValue] } ?? []) + extras.map(\.rawValue)).map { Array($0.utf8) },
                environment: environment, by: starter)
            running = try RunningProgram(process)
            output = pipe.reading
        } catch {
            throw .program(.notStarted(error.code))
        }
        let said = try take(output, of: process, stop)
        do {
            // What it said to its end counts, however it ends.
            let whole = try document(said)
            _ = running.end()
            return whole
        } catch {
            // It has closed its output, so it is about to end by itself.
            guard error == .program(.died) else { throw error }
            var (clock, spent) = (ProcessClock(of: process), Duration.zero)
            while spent < Self.end, !Self.isOver(stop), running.wait(within: Self.glance) == nil {
                spent += clock.look()
            }
            let signal = running.end().signal
            throw signal == 0 ? error : .program(.crashed(signal: signal))
        }
    }

    private static func isOver(_ stop: Descriptor?) -> Bool {
        guard let stop, let ready = try? Poll.wait([(stop.raw, events: POLLIN)], timeout: .zero) else { return false }
        return ready.contains { $0 != 0 }
    }

    private func take(
        _ output: Descriptor, of process: Int32, _ stop: Descriptor?
    ) throws(DocumentFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var clock = ProcessClock(of: process)
        var (spent, still) = (Duration.zero, Duration.zero)
        let watched = [(output.raw, events: POLLIN)] + (stop.map { [($0.raw, events: POLLIN)] } ?? [])
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let left = min(silence - still, time.map { $0 - spent } ?? silence)
            let ready = left > .zero ? try? Poll.wait(watched, timeout: min(left, Self.glance)) : nil
            guard let ready, ready.dropFirst().allSatisfy({ $0 == 0 }) else { throw .program(.silent) }
            let passed = clock.look()
            spent += passed
            still = ready[0] == 0 ? still + passed : .zero
            if ready[0] == 0 { continue }
            guard let count = try? output.read(into: buffer), count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= Self.largest else { throw .tooLarge }
        }
    }

    private func document(_ said: [UInt8]) throws(DocumentFailure) -> Document {
        var document = Document()
        for line in said.split(separator: UInt8(ascii: "\n")) {
            guard let message = try? JSONReader.read(Array(line)).decode(DocumentMessage.self) else {
                throw .program(.died)
            }
            switch message {
            case .head(let head):
                (document.title, document.authors, document.language) = (head.title, head.authors, head.language)
                document.identifiers = head.identifiers ?? []
                document.missing = head.missing ?? []
                document.cover = head.cover
            case .chapter(let chapter): document.chapters.append(chapter)
            case .failed(let failure): throw failure
            case .done: return document
            }
        }
        throw .program(.died)
    }
}

/// What the program that reads documents says, a line of JSON each. The last is `done` or `failed`.
package enum DocumentMessage: Codable, Equatable, Sendable {
    case head(Head)
    case chapter(Document.Chapter)
    case done
    case failed(DocumentFailure)

    /// What is known of a document besides its chapters.
    package struct Head: Codable, Equatable, Sendable {
        package var title: String?
        package var authors: [String]
        package var language: String?
        /// nil = it has none.
        package var identifiers: [String]?
        /// The files that it names and does not have; nil if there are none.
        package var missing: [String]?
        /// A picture of the cover.
        package var cover: Document.Picture?

        package init(title: String? = nil, authors: [String] = [], language: String? = nil) {
            self.title = title
            self.authors = authors
            self.language = language
        }
    }
}

/// What of a document is read only if it is wanted. The raw value is the word for the program that reads documents.
package enum DocumentExtra: String, CaseIterable, Sendable {
    /// The picture of its cover.
    case cover
    /// Its notes, each where the text refers to it first.
    case notes
}

/// Why a document cannot be read.
package enum DocumentFailure: Error, Codable, Equatable, Sendable {
    /// Its text is encrypted, as that of books with digital rights management is.
    case encrypted
    /// It is none of the formats that can be read.
    case unknownFormat
    /// What is wrong with it, as the end of a sentence after "it".
    case damaged(String)
    /// It is larger than documents may be, packed or unpacked.
    case tooLarge
    /// A part of it is beyond what real documents have.
    case excessive(Excess)
    /// There is nothing in it to read.
    case empty
    /// Its pages are pictures without text.
    case scanned
    /// It needs a password.
    case locked
    /// A program that reads its format is not installed.
    case programMissing(String)
    /// It is of a format that another program converts.
    case foreign(ForeignFormat)
    /// The program that reads documents.
    case program(ProgramFailure)

    /// Too much of something in a document.
    package struct Excess: Codable, Equatable, Sendable {
        package enum Kind: String, Codable, Sendable {
            /// Of one element.
            case attributes
            /// In force at one place.
            case namespaces
            /// Bytes that attributes and entities of a file stand for.
            case text
        }
        package var kind: Kind
        package var limit: Int
        /// The file in the book; nil = the document is one file.
        package var member: String?
        /// From 1; 0 = not known.
        package var line: Int

        package init(_ kind: Kind, limit: Int, member: String?, line: Int) {
            (self.kind, self.limit, self.member, self.line) = (kind, limit, member, line)
        }
    }

    package enum ProgramFailure: Codable, Equatable, Sendable {
        /// errno.
        case notStarted(Int32)
        case crashed(signal: Int32)
        /// It was silent for too long.
        case silent
        /// It ended without a word, or said what is not understood.
        case died
    }
}
