import EngineKit
import Foundation
import Testing
import TestNumbers
import TestSupport

@testable import SynthKokoro

/// Damaged files are rejected with a message or yield numbers, and none causes a crash. SYNTHHOST_MUTATIONS sets the number
/// of files.
@Suite struct StyleFuzzTests {
    private static let count =
        ProcessInfo.processInfo.environment["SYNTHHOST_MUTATIONS"].flatMap { Int($0) } ?? 400

    private func mutated(_ whole: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
            // Headers are small, but most parsing errors occur there, so about half of the changes are near the start.
            let isHead = Bool.random(using: &random)
            let place = Int.random(in: 0..<(isHead ? min(bytes.count, 160) : bytes.count), using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 0xFF, 0x7F, 0x80, 0x28, 0x29, 0x2C, 0x39].randomElement(using: &random) ?? 0
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...64, using: &random)))
            case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 32)], at: place)
            case 4: bytes.removeLast(bytes.count - place)
            case 5:
                let other = Int.random(in: 0..<bytes.count, using: &random)
                bytes.swapAt(place, other)
            default:
                // A four-byte number, like sizes and offsets in an archive.
                let value = UInt32.random(in: .min ... .max, using: &random)
                for index in 0..<4 where place + index < bytes.count {
                    bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index)))
                }
            }
        }
        return bytes
    }

    private func expectAnswer(_ path: String, _ voice: String) {
        do throws(EngineError) {
            let table = try StyleFile.table(at: path, voice: voice, contents: nil)
            #expect((1...1024).contains(table.rowCount))
            for row in [0, table.rowCount - 1, table.rowCount] {
                let numbers = table.row(forTokens: row)
                #expect(numbers.count == 256 && numbers.allSatisfy(\.isFinite))
            }
        } catch {
            #expect(!error.description.isEmpty && !error.description.contains("/"))
        }
    }

    @Test(
        "Mutated archives and arrays are either rejected or read",
        arguments: ["stored-C.npz", "stored-F.npz", "deflated-C.npz", "deflated-F.npz", "array"])
    func mutations(name: String) throws {
        let folder = try TemporaryFolder()
        let whole: [UInt8]
        if name == "array" {
            let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 1, 256), }\n"
            let numbers = (0..<768).map { Float($0) }.withUnsafeBytes { Array($0) }
            whole = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8) + numbers
        } else {
            whole = Array(try Data(contentsOf: URL(filePath: Fixtures.kokoro(name))))
        }
        var random = SeededRandom(UInt64(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
        for _ in 0..<Self.count {
            expectAnswer(
                try folder.write(mutated(whole, &random), to: "style"), Bool.random(using: &random) ? "second" : "first"
            )
        }
    }

    @Test(
        "An archive that would unpack to far more data than a voice is not read to the end",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func bomb() throws {
        let folder = try TemporaryFolder()
        // 100 MB of zeros compress to a few hundred kilobytes.
        let path = folder.path + "/bomb.npz"
        let made = try ChildProcess(
            "/usr/bin/env",
            arguments: [
                "python3", "-c",
                "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\n"
                    + "z.writestr('first.npy',bytes(100<<20))\nz.close()", path,
            ].map { Array($0.utf8) }, environment: ProcessInfo.processInfo.environment
        ).finish()
        try #require(made.code == 0, "\(made.errors)")
        let error = #expect(throws: EngineError.self) {
            try StyleFile.table(at: path, voice: "first", contents: nil)
        }
        #expect(error?.description.contains("too large") == true)
    }
}
