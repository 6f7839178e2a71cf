import Glibc
import SynthJSON
package import SynthSystem

/// Reads documents in a separate, confined process, `synthhost-read`, because documents may be malicious.
package struct DocumentProgram: Sendable {
    private let path: String
    private let environment: [String: String]?

    /// The maximum size of the program's output in bytes.
    private static let largest = 256 << 20
    /// The interval at which the program is checked.
    private static let pollInterval = Duration.milliseconds(100)
    /// How long the program may take to exit after it has closed its output. Time spent waiting for a CPU or the disk
    /// is not included.
    private static let end = Duration.seconds(1)
    private let time: Duration?
    private let silence: Duration
    private let starter: ProgramStarter?

    /// - Parameters:
    ///   - path: the path of the program.
    ///   - environment: the program's environment variables, or nil to inherit them from this process.
    ///   - time: the maximum time for a document. Time that the program spends waiting for a CPU or the disk is not
    ///     included. If nil, there is no limit as long as output arrives.
    ///   - silence: how long the program may produce no output before it is considered hung. Time that it spends
    ///     waiting for a CPU or the disk is not included.
    ///   - starter: the helper that starts the program, or nil to start it from this process.
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
    ///   - file: the document, open for reading and positioned at its start. Books require a seekable file.
    ///   - form: the format implied by the file name, or nil to detect it from the content.
    ///   - extras: the optional parts to read.
    ///   - stop: the read end of a pipe. To stop reading, the caller closes the write end, which causes `silent` to be
    ///     thrown.
    package func read(
        _ file: Descriptor, as form: DocumentForm? = nil, _ extras: Set<DocumentExtra> = [],
        until stop: Descriptor? = nil
    ) throws(DocumentFailure) -> Document {
        guard PDFProgram.isPDF(file) else { return try read(file, facts: nil, as: form, extras, until: stop) }
        var extraction: PDFExtraction
        do {
            extraction = try PDFExtraction(of: file, by: self)
        } catch {
            throw .program(.notStarted(error.code))
        }
        var document: Document
        do {
            document = try read(extraction.pages, facts: extraction.facts, as: .printed, extras, until: stop)
        } catch {
            // If no page contains text, the extraction may have failed.
            guard error == .empty || error == .scanned else { throw error }
            throw extraction.failure() ?? error
        }
        if let failure = extraction.failure() { throw failure }
        let pages = extras.contains(.scans) ? document.pagesWithoutText : nil
        document.pagesWithoutText = pages.flatMap { try? images(of: file, until: stop).scans(among: $0) }
        return document
    }

    /// Lists the images of a PDF.
    private func images(of file: Descriptor, until stop: Descriptor?) throws -> PDFImages {
        let listing = try start(ConfinedProgram.pdfImages.words, file)
        let running = try RunningProgram(listing.process)
        return try withExtendedLifetime(running) { PDFImages(try take(listing.output, of: listing.process, stop)) }
    }

    /// - Parameter facts: the metadata of a PDF.
    private func read(
        _ file: Descriptor, facts: Descriptor?, as form: DocumentForm?, _ extras: Set<DocumentExtra>,
        until stop: Descriptor?
    ) throws(DocumentFailure) -> Document {
        let output: Descriptor
        let process: Int32
        var running: RunningProgram
        do {
            let words = (form.map { [$0.rawValue] } ?? []) + extras.map(\.rawValue)
            (output, process) = try start(words, file, facts: facts)
            running = try RunningProgram(process)
        } catch {
            throw .program(.notStarted(error.code))
        }
        let said = try take(output, of: process, stop)
        do {
            // Complete output is valid, no matter how the program exits.
            let whole = try document(said)
            _ = running.end()
            return whole
        } catch {
            // The program has closed its output, so it will probably exit soon.
            guard error == .program(.died) else { throw error }
            var (clock, spent) = (ProcessClock(of: process), Duration.zero)
            while spent < Self.end, !Self.isOver(stop), running.wait(within: Self.pollInterval) == nil {
                spent += clock.elapsed()
            }
            let signal = running.end().signal
            throw signal == 0 ? error : .program(.crashed(signal: signal))
        }
    }

    /// Starts the program with a file as its standard input.
    ///
    /// - Parameters:
    ///   - facts: the metadata of a PDF.
    ///   - joinsErrors: whether the output includes the program's stderr.
    func start(
        _ arguments: [String], _ file: Descriptor, facts: Descriptor? = nil, joinsErrors: Bool = false
    ) throws(Errno) -> (output: Descriptor, process: Int32) {
        let pipe = try Descriptor.pipe()
        var spawn = Spawn(group: .own)
        try spawn.pass(file.raw, as: STDIN_FILENO)
        try spawn.pass(pipe.writing.raw, as: STDOUT_FILENO)
        if let facts { try spawn.pass(facts.raw, as: PDFProgram.factsNumber) }
        if joinsErrors {
            try spawn.pass(pipe.writing.raw, as: STDERR_FILENO)
        } else {
            try spawn.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
        }
        spawn.work(in: "/")
        let process = try spawn.start(
            path, arguments: arguments.map { Array($0.utf8) }, environment: environment, by: starter)
        return (pipe.reading, process)
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
            let ready = left > .zero ? try? Poll.wait(watched, timeout: min(left, Self.pollInterval)) : nil
            guard let ready, ready.dropFirst().allSatisfy({ $0 == 0 }) else { throw .program(.silent) }
            let passed = clock.elapsed()
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
            case .head(let head): document = head
            case .chapter(let chapter): document.chapters.append(chapter)
            case .failed(let failure): throw failure
            case .done: return document
            }
        }
        throw .program(.died)
    }
}

/// A message from `synthhost-read`, sent as one line of JSON. The last message is `done` or `failed`.
package enum DocumentMessage: Codable, Equatable, Sendable {
    /// The document without its chapters.
    case head(Document)
    case chapter(Document.Chapter)
    case done
    case failed(DocumentFailure)
}

/// Optional parts of a document, which are read only on request. The raw value is the argument for `synthhost-read`.
package enum DocumentExtra: String, CaseIterable, Sendable {
    case cover
    /// Footnotes, each after its first reference.
    case notes
    /// The numbers of a PDF's pages that are images without text.
    case scans
}

/// Why a document cannot be read.
package enum DocumentFailure: Error, Codable, Equatable, Sendable {
    /// The text is encrypted, as in books with digital rights management.
    case encrypted
    case unknownFormat
    /// The document is damaged. The value describes the damage as a predicate whose subject is "it".
    case damaged(String)
    /// The document exceeds the maximum size, compressed or uncompressed.
    case tooLarge
    /// Part of the document exceeds a limit that real documents never reach.
    case excessive(ExceededLimit)
    case empty
    /// The pages are images without text.
    case scanned
    /// The document requires a password.
    case locked
    /// The program that reads this format is not installed.
    case programMissing(String)
    /// synthhost cannot read the format, but another program can convert it.
    case foreign(ForeignFormat)
    /// `synthhost-read` failed.
    case program(ProgramFailure)

    /// A limit that the document exceeds.
    package struct ExceededLimit: Codable, Equatable, Sendable {
        /// The quantity that is limited.
        package enum Kind: String, Codable, Sendable {
            /// The attributes of an element.
            case attributes
            /// The namespaces in scope at a position.
            case namespaces
            /// The text of a file's attributes and expanded entities, in bytes.
            case text
        }
        package var kind: Kind
        package var limit: Int
        /// The file in the book, or nil if the document consists of a single file.
        package var member: String?
        /// The line number, starting at 1, or 0 if it is unknown.
        package var line: Int

        package init(_ kind: Kind, limit: Int, member: String?, line: Int) {
            (self.kind, self.limit, self.member, self.line) = (kind, limit, member, line)
        }
    }

    /// Why `synthhost-read` failed.
    package enum ProgramFailure: Codable, Equatable, Sendable {
        /// The program could not be started. The value is the errno.
        case notStarted(Int32)
        case crashed(signal: Int32)
        /// The program produced no output for too long.
        case silent
        /// The program exited without a final message, or its output was invalid.
        case died
    }
}
