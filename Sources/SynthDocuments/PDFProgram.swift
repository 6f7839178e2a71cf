import Glibc
package import SynthSystem

/// Takes the text out of a PDF with `pdftotext` of poppler, which the user may have installed. Unlike what reads other documents, it has
/// the rights of this process.
package struct PDFProgram: Sendable {
    private let path: String

    /// - Parameter path: of `pdftotext`.
    package init(path: String) { self.path = path }

    /// Whether an open file is a PDF.
    package static func isPDF(_ file: Descriptor) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 5)
        return pread(file.raw, &bytes, bytes.count, 0) == 5 && bytes == Array("%PDF-".utf8)
    }

    /// Reads a PDF: its text goes to the program that reads documents as it comes. Blocks.
    ///
    /// - Parameter file: open for reading, at its beginning.
    package func read(_ file: Descriptor, by program: DocumentProgram) throws(DocumentFailure) -> Document {
        let text: Descriptor
        var running: RunningProgram
        do {
            let pipe = try Descriptor.pipe()
            var spawn = Spawn(group: .own)
            try spawn.pass(file.raw, as: STDIN_FILENO)
            try spawn.pass(pipe.writing.raw, as: STDOUT_FILENO)
            spawn.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
            spawn.work(in: "/")
            running = try RunningProgram(
                try spawn.start(path, arguments: ["-enc", "UTF-8", "-", "-"].map { Array($0.utf8) }))
            text = pipe.reading
        } catch {
            throw .program(.notStarted(error.code))
        }
        let document: Document
        do {
            document = try program.read(text)
        } catch {
            // Without any text the cause is more likely here.
            if error == .empty, !running.end(after: Self.end).isGood { throw .damaged(Self.damage) }
            throw error
        }
        guard running.end(after: Self.end).isGood else { throw .damaged(Self.damage) }
        return document
    }

    /// For a program that has closed its output to be gone.
    private static let end = Duration.seconds(60)
    private static let damage = "is a PDF that pdftotext cannot read, or one with a password"
}
