import Foundation
import SynthSystem
import Testing

@testable import SynthModelStore

@Suite("Searching a file for bytes")
struct FileSearchTests {
    /// The size of the read buffer, which includes the end of the previous chunk.
    private static let piece = 1 << 20

    @Test(
        "Bytes are found at any position",
        arguments: [0, 1, piece - 5, piece - 4, piece - 1, piece, 2 * piece - 7, 3 * piece - 4])
    func found(place: Int) throws {
        let folder = try TemporaryFolder()
        var bytes = [UInt8](repeating: 7, count: 3 * Self.piece)
        bytes.replaceSubrange(place..<(place + 4), with: [7, 1, 2, 3])
        try Data(bytes).write(to: URL(filePath: folder.path + "/file"))
        #expect(try FileSearch.contains([7, 1, 2, 3], in: folder.path + "/file"))
        #expect(try FileSearch.contains([7, 1, 2, 4], in: folder.path + "/file") == false)
    }

    @Test("A file that is shorter than the sought bytes does not contain them, and a missing file causes an error")
    func short() throws {
        let folder = try TemporaryFolder()
        try Data([1]).write(to: URL(filePath: folder.path + "/file"))
        #expect(try FileSearch.contains([1], in: folder.path + "/file"))
        #expect(try FileSearch.contains([1, 2], in: folder.path + "/file") == false)
        #expect(throws: Errno.notFound) { try FileSearch.contains([1], in: folder.path + "/none") }
    }
}
