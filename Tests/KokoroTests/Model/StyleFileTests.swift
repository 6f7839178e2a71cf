import EngineKit
import Foundation
import Testing
import TestSupport

@testable import SynthKokoro

@Suite struct StyleFileTests {
    private func readingError(
        _ content: some DataProtocol, voice: String = "voice", contents: StyleFile.Contents? = nil
    ) throws -> String? {
        let folder = try TemporaryFolder()
        let path = try folder.write(content, to: "style")
        do throws(EngineError) {
            _ = try StyleFile.table(at: path, voice: voice, contents: contents)
            return nil
        } catch {
            return error.description
        }
    }

    /// Creates a NumPy array file.
    private func array(_ header: String, _ numbers: [Float], version: UInt8 = 1) -> Data {
        var data = Data([0x93]) + Data("NUMPY".utf8) + Data([version, 0])
        let padded = header + "\n"
        let length = UInt32(padded.utf8.count)
        data += (0..<(version == 1 ? 2 : 4)).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        data += Data(padded.utf8)
        return data + numbers.withUnsafeBytes { Data($0) }
    }

    private func header(_ shape: String, order: String = "False", type: String = "<f4") -> String {
        "{'descr': '\(type)', 'fortran_order': \(order), 'shape': \(shape), }"
    }

    @Test(
        "Arrays in an archive are found by name, whatever their order and whether or not they are compressed",
        arguments: ["stored-C", "stored-F", "deflated-C", "deflated-F"])
    func archives(name: String) throws {
        let path = Fixtures.kokoro(name + ".npz")
        for (voice, shift) in [("first", Float(10)), ("second", 0)] {
            let table = try StyleFile.table(at: path, voice: voice, contents: nil)
            #expect(table.rowCount == 3)
            for row in 0..<3 {
                let expected = (0..<256).map { Float(row) + Float($0) / 1000 + shift }
                #expect(zip(table.row(forTokens: row), expected).allSatisfy { ($0 - $1).magnitude < 1e-5 })
            }
        }
        let error = #expect(throws: EngineError.self) {
            try StyleFile.table(at: path, voice: "third", contents: nil)
        }
        #expect(error?.description.contains("first, second") == true)
    }

    @Test("Truncated and modified archives are reported as damaged", arguments: ["stored-C", "deflated-F"])
    func damagedArchives(name: String) throws {
        let whole = try Data(contentsOf: URL(filePath: Fixtures.kokoro(name + ".npz")))
        #expect(try readingError(whole.prefix(whole.count / 3), voice: "second") != nil)
        var changed = whole
        // This position is in the data of the second array.
        let place = whole.count * 3 / 4
        changed[place] ^= 0xFF
        #expect(try readingError(changed, voice: "second") != nil)
        #expect(
            try readingError(Data([0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18)))?.contains("without") == true)
    }

    @Test("Impossible row counts in metadata are rejected", arguments: [Int.max, Int.max / 1024 + 1, 1 << 53, -1, 0])
    func impossibleRows(rowCount: Int) throws {
        let contents = StyleFile.Contents(names: ["voice", "other"], rowCount: rowCount)
        #expect(try readingError(Data(count: 4096), contents: contents)?.contains("4096 bytes") == true)
    }

    @Test("An array whose size does not match its shape is rejected")
    func shapes() throws {
        let numbers = [Float](repeating: 0.5, count: 512)
        for shape in ["(2, 1, 256)", "(2, 256)", "(2,1,256)"] {
            #expect(try readingError(array(header(shape), numbers)) == nil)
            #expect(try readingError(array(header(shape), numbers, version: 2)) == nil)
        }
        let lies = [
            "(3, 1, 256)", "(1, 256)", "(512,)", "(2, 2, 128)", "(256, 2)", "()", "(-2, 256)", "(2, 1, 256, 1)",
            "(9223372036854775807, 256)", "(two, 256)",
        ]
        for shape in lies { #expect(try readingError(array(header(shape), numbers)) != nil, "\(shape)") }
        #expect(try readingError(array(header("(2, 256)", type: "<f8"), numbers))?.contains("float32") == true)
        #expect(try readingError(array(header("(2, 256)", type: ">f4"), numbers)) != nil)
        #expect(try readingError(array(header("(2, 256)"), numbers, version: 9))?.contains("version") == true)
        #expect(try readingError(array(header("(2, 256)"), numbers).prefix(20)) != nil)
    }

    @Test("Arrays in column order are transposed")
    func columns() throws {
        let folder = try TemporaryFolder()
        let byColumn = (0..<512).map { (place: Int) -> Float in Float(place % 2 * 1000 + place / 2) }
        let row = (0..<256).map { (column: Int) -> Float in Float(column) }
        let path = try folder.write(array(header("(2, 1, 256)", order: "True"), byColumn), to: "style")
        let table = try StyleFile.table(at: path, voice: "voice", contents: nil)
        #expect(Array(table.row(forTokens: 0)) == row)
        #expect(table.row(forTokens: 1).map { $0 - 1000 } == row)
    }

    @Test("A raw file is rejected unless it has the size of one voice and contains finite numbers")
    func raw() throws {
        #expect(try readingError(Data(count: 510 * 1024)) == nil)
        #expect(try readingError(Data(count: 511 * 1024))?.contains("0.19") == true)
        for size in [1, 1024, 509 * 1024, 510 * 1024 - 4, 510 * 1024 + 1, 1020 * 1024] {
            #expect(try readingError(Data(count: size))?.contains("\(size) bytes") == true, "\(size)")
        }
        #expect(try readingError(Data())?.contains("empty") == true)
        #expect(try readingError(Data("<!DOCTYPE html>".utf8))?.contains("web page") == true)
        var nan = Data(count: 510 * 1024)
        nan.replaceSubrange(4000..<4004, with: [0, 0, 0xC0, 0x7F])
        #expect(try readingError(nan)?.contains("not finite numbers") == true)
    }

    @Test("In a raw file with several voices, each voice is found by its name in the model's metadata")
    func severalRaw() throws {
        let folder = try TemporaryFolder()
        let contents = StyleFile.Contents(names: ["one", "two", "three"], rowCount: 4)
        let numbers = (0..<3 * 4 * 256).map { (place: Int) -> Float in Float(place / 256) }
        let path = try folder.write(numbers.withUnsafeBytes { Data($0) }, to: "voices.bin")
        let table = try StyleFile.table(at: path, voice: "two", contents: contents)
        #expect(table.rowCount == 4)
        #expect(table.row(forTokens: 2).allSatisfy { $0 == 6 })
        #expect(throws: EngineError.self) { try StyleFile.table(at: path, voice: "four", contents: contents) }
        #expect(throws: EngineError.self) { try StyleFile.table(at: path, voice: "two", contents: nil) }
    }

    @Test("If there are more tokens than rows, the last row is used, and a blend is a weighted sum")
    func rows() throws {
        let first = try StyleTable(numbers: (0..<1024).map { Float($0 / 256) }, of: "first")
        let second = try StyleTable(numbers: [Float](repeating: 10, count: 256), of: "second")
        #expect(first.row(forTokens: 510).allSatisfy { $0 == 3 })
        #expect(first.row(forTokens: -1).allSatisfy { $0 == 0 })
        let blend = StyleTable.blend([(first, 0.25), (second, 0.75)], forTokens: 2)
        #expect(blend.count == 256 && blend.allSatisfy { $0 == 8 })
    }
}
