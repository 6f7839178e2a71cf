import Foundation
import Testing
import TestSupport

@testable import SynthGraphs
@testable import SynthInference

@Suite("Checked files")
struct CheckedFileTests {
    @Test("A checked file matches a file with the same content and no other file")
    func same() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data("abc".utf8), to: "a")
        let file = try CheckedFile(path)
        #expect(file.isSame(path))
        #expect(file.isSame(try folder.write(Data("abc".utf8), to: "copy")))
        #expect(!file.isSame(try folder.write(Data("abd".utf8), to: "other")))
        #expect(!file.isSame(try folder.write(Data("abcd".utf8), to: "longer")))
        #expect(!file.isSame(folder.file("missing")))
        #expect(throws: InferenceError.file(code: ENOENT)) { try CheckedFile(folder.file("missing")) }
    }

    @Test("A line with several files can be parsed, and a damaged line cannot")
    func line() {
        let files = (1...3).map { number in
            CheckedFile(state: FileState(size: UInt64(number), inode: 2, modified: "3.4"), digest: 5)
        }
        let line = files.map(\.text).joined(separator: " ")
        #expect(CheckedFile.files(line) == files)
        #expect(CheckedFile.files("") == [])
        for damaged in [
            line + " 1", String(line.dropLast(2)), line.replacing("1", with: "x"), "a", "1 2", "1 2 3 4 5 6 7 -8",
        ] {
            #expect(CheckedFile.files(damaged) == nil, "\(damaged)")
        }
    }
}
