import Glibc
package import SynthSystem

/// A program of poppler that takes something out of a PDF. It is started by `synthhost-read`, which becomes it behind the walls that every
/// reader of documents has: no file, no connection, and limits on its time and memory.
package enum PDFProgram: String, CaseIterable, Sendable {
    /// What each page shows, and the bookmarks (`pdftohtml -xml`).
    case pages = "pdf-pages"
    /// The title and the authors (`pdfinfo`).
    case facts = "pdf-facts"

    /// Its name, which is looked for in `PATH`.
    package var name: String {
        switch self {
        case .pages: "pdftohtml"
        case .facts: "pdfinfo"
        }
    }

    /// A PDF is read from standard input. Text that recognizers have put behind pictures of pages is hidden. A reader may hear what it may
    /// not copy.
    package var arguments: [String] {
        switch self {
        case .pages:
            [
                "-xml", "-i", "-stdout", "-zoom", "3", "-fontfullname", "-hidden", "-nodrm", "-enc", "UTF-8", "-",
                "document",
            ]
        case .facts: ["-enc", "UTF-8", "-"]
        }
    }

    /// How `synthhost-read` ends if it does not find the program.
    package static let missing: Int32 = 127
    /// The Debian package that has both.
    package static let package = "poppler-utils"
    /// The number of the descriptor with the facts in the program that reads the pages.
    package static let factsNumber: Int32 = 3

    /// Whether an open file is a PDF. Some have other bytes before their beginning.
    package static func isPDF(_ file: Descriptor) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = pread(file.raw, &bytes, bytes.count, 0)
        guard count > 4 else { return false }
        if bytes.starts(with: "%PDF-".utf8) { return true }
        let beginning = String(decoding: bytes[..<count], as: UTF8.self)
        return beginning.contains("\n%PDF-") || beginning.contains("\r%PDF-")
    }
}

/// The programs of poppler while they read one PDF. They end with this value.
struct PDFExtraction: ~Copyable {
    /// What `pdftohtml` writes.
    let pages: Descriptor
    /// What `pdfinfo` writes.
    let facts: Descriptor
    private var pagesProgram: RunningProgram
    private let factsProgram: RunningProgram

    /// - Parameter program: the path of `synthhost-read`.
    init(
        of file: Descriptor, by program: String, environment: [String: String]?, starter: ProgramStarter?
    ) throws(Errno) {
        let first = try Self.start(.pages, file, program, environment, starter)
        let pagesProgram = try RunningProgram(first.process)
        let second = try Self.start(.facts, file, program, environment, starter)
        factsProgram = try RunningProgram(second.process)
        self.pagesProgram = pagesProgram
        (pages, facts) = (first.output, second.output)
    }

    private static func start(
        _ what: PDFProgram, _ file: Descriptor, _ program: String, _ environment: [String: String]?,
        _ starter: ProgramStarter?
    ) throws(Errno) -> (output: Descriptor, process: Int32) {
        let pipe = try Descriptor.pipe()
        var spawn = Spawn(group: .own)
        try spawn.pass(file.raw, as: STDIN_FILENO)
        try spawn.pass(pipe.writing.raw, as: STDOUT_FILENO)
        // What `pdfinfo` says of a password is one of the facts.
        if what == .facts {
            try spawn.pass(pipe.writing.raw, as: STDERR_FILENO)
        } else {
            spawn.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
        }
        spawn.work(in: "/")
        let process = try spawn.start(
            program, arguments: [Array(what.rawValue.utf8)], environment: environment, by: starter)
        return (pipe.reading, process)
    }

    /// Why there is less than there should be, once the output was read to its end; nil = all of it came.
    mutating func failure() -> DocumentFailure? {
        let ending = pagesProgram.end(after: Self.end)
        if ending.isGood { return nil }
        if ending.code == PDFProgram.missing { return .programMissing(PDFProgram.pages.name) }
        return .damaged("is a PDF that \(PDFProgram.pages.name) cannot read")
    }

    /// For a program that has closed its output to be gone.
    private static let end = Duration.seconds(10)
}
