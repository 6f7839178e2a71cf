import Glibc
package import SynthSystem

/// Detects PDFs and reads them with poppler's programs (`ConfinedProgram`).
package enum PDFProgram {
    /// The number of the descriptor from which `synthhost-read` reads a PDF's metadata.
    package static let factsNumber: Int32 = 3

    /// Whether an open file is a PDF. Searches for the header instead of expecting it at the beginning, because other
    /// bytes precede it in some PDFs.
    package static func isPDF(_ file: Descriptor) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = pread(file.raw, &bytes, bytes.count, 0)
        guard count > 4 else { return false }
        if bytes.starts(with: "%PDF-".utf8) { return true }
        let beginning = String(decoding: bytes[..<count], as: UTF8.self)
        return beginning.contains("\n%PDF-") || beginning.contains("\r%PDF-")
    }
}

/// The sizes of a PDF's images, from the output of `pdfimages -list`.
struct PDFImages {
    /// The area of the images on each page, in square inches.
    private var areas: [Int: Double] = [:]

    /// The minimum area of a scan, in square inches. Smaller images are usually logos or ornaments on an otherwise
    /// blank page.
    private static let scan = 9.0

    /// - Parameter bytes: lines such as `   2     0 image     1654  2339  gray    1   8  jpeg   no         7  0   200   200  120K 3.2%`.
    init(_ bytes: [UInt8]) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 14, words[2] == "image" || words[2] == "stencil", let page = Int(words[0]),
                let width = Double(words[3]), let height = Double(words[4]),
                let across = Double(words[words.count - 4]), let down = Double(words[words.count - 3]),
                across > 0, down > 0
            else { continue }
            areas[page, default: 0] += width / across * (height / down)
        }
    }

    /// Returns only the pages that consist of large images.
    ///
    /// - Parameter pages: the pages without text.
    func scans(among pages: [Int]) -> [Int] { pages.filter { areas[$0, default: 0] >= Self.scan } }
}

/// The poppler programs that read a PDF. They are terminated when this value is destroyed.
struct PDFExtraction: ~Copyable {
    /// The output of `pdftohtml`.
    let pages: Descriptor
    /// The output of `pdfinfo`.
    let facts: Descriptor
    private var pagesProgram: RunningProgram
    private let factsProgram: RunningProgram

    init(of file: Descriptor, by program: DocumentProgram) throws(Errno) {
        let first = try program.start(ConfinedProgram.pdfPages.words, file)
        let pagesProgram = try RunningProgram(first.process)
        // `pdfinfo` reports a missing password on stderr, so read stderr too.
        let second = try program.start(ConfinedProgram.pdfFacts.words, file, joinsErrors: true)
        factsProgram = try RunningProgram(second.process)
        self.pagesProgram = pagesProgram
        (pages, facts) = (first.output, second.output)
    }

    /// Returns the reason why the output is incomplete, or nil if it is complete. Call this after reading all of the
    /// output.
    mutating func failure() -> DocumentFailure? {
        let ending = pagesProgram.end(after: Self.end)
        if ending.isGood { return nil }
        let name = ConfinedProgram.pdfPages.name
        if ending.code == ConfinedProgram.missing { return .programMissing(name) }
        return .damaged("is a PDF that \(name) cannot read")
    }

    /// How long a program may take to exit after it has closed its output.
    private static let end = Duration.seconds(10)
}
