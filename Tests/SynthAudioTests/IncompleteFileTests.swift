import Foundation
import SynthSystem
import Testing
import TestSupport

@testable import SynthAudio

@Suite("Incomplete files")
struct IncompleteFileTests {
    /// A sink whose file is stored under a different name and cannot be completed.
    private final class FailingSink: AudioSink {
        let storedPath: String?
        private let failure: AudioError

        init(_ path: String, _ failure: AudioError) { (storedPath, self.failure) = (path, failure) }

        func begin(_ format: AudioFormat) throws(AudioError) {}
        func write(_ samples: ArraySlice<Float>) throws(AudioError) {}
        func finish() throws(AudioError) { throw failure }
        func stop() {}
    }

    @Test("A file that cannot be completed is deleted, but a complete file that could not be renamed is kept")
    func finishing() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "a (stopped).opus")
        let full = AudioError.outputNotWritten(name: .file("a.opus"), code: ENOSPC)
        #expect(throws: full) { try FailingSink(path, full).finishOrDelete() }
        #expect(!FileManager.default.fileExists(atPath: path))
        try folder.write([1, 2, 3], to: "a (stopped).opus")
        let used = AudioError.outputInUse(path: "a.opus", .voice, kept: path)
        #expect(throws: used) { try FailingSink(path, used).finishOrDelete() }
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
