import Testing
import TestSupport

@Suite("Speaking a two-megabyte text", .ownThreads, .serialized)
struct BookTests {
    private static let sentence = "Many small words make a rather long book that nobody reads aloud in one evening. "
    private static let repeats = 2_000_000 / sentence.utf8.count + 1
    /// A two-byte frame for each byte that is not a space, and 0.25 s of silence at 8 kHz between sentences.
    private static let soundBytes = (repeats * sentence.utf8.count { $0 != 0x20 } + (repeats - 1) * 2000) * 2
    private static var book: [UInt8] { Array(String(repeating: sentence, count: repeats).utf8) }

    /// Checks a limit that would be exceeded if the entire text or its audio were in memory.
    private func check(memoryOf process: ChildProcess) throws {
        let workers = ProcessTable.children(of: process.identifier)
        #expect(workers.count == 1)
        let peaks = ([process.identifier] + workers).compactMap(ProcessTable.peakMemory)
        #expect(peaks.count == 2)
        #expect(Sanitizer.isActive || peaks.reduce(0, +) < 90_000_000, "\(peaks)")
    }

    @Test("Text from a pipe is spoken to the end using little memory")
    func piped() throws {
        let home = try UserHome()
        try home.install("reed")
        let process = try home.start(["speak", "-v", "Tick", "--raw"], input: .pipe)
        process.keepsOutput = false
        try process.feed(Self.book, within: .seconds(600))
        // The pipe stays open, so both processes are still running when the last audio arrives.
        try process.waitForOutput(count: Self.soundBytes, within: .seconds(600))
        try check(memoryOf: process)
        process.closeInput()
        #expect(try process.finish().code == 0)
        #expect(process.outputCount == Self.soundBytes)
    }

    @Test("Text from a file is spoken using little memory and can be stopped")
    func file() throws {
        let home = try UserHome()
        try home.install("reed")
        try home.write(Self.book, to: "book.txt")
        let process = try home.start(["speak", "-v", "Tick", "--raw", "-f", home.file("book.txt")])
        process.keepsOutput = false
        try process.waitForOutput(count: Self.soundBytes / 8, within: .seconds(600))
        try check(memoryOf: process)
        process.signal(2)
        #expect(try process.finish().code == 130)
        #expect(process.outputCount < Self.soundBytes)
    }

    @Test("Playback starts as soon as the beginning of the text has been read")
    func early() throws {
        let home = try UserHome()
        try home.install("reed")
        let process = try home.start(["speak", "-v", "Oboe", "--raw"], input: .pipe)
        // One sentence and the beginning of the next are sent. No more text arrives before the audio.
        try process.feed(Array((Self.sentence + "Many small").utf8))
        try process.waitForOutput(count: 2)
        process.closeInput()
        #expect(try process.finish().code == 0)
        #expect(process.outputCount > 0)
    }
}
