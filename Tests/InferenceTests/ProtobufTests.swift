import Foundation
import Testing
import TestNumbers

@testable import SynthGraphs
@testable import SynthInference

@Suite struct ProtobufTests {
    private func message(_ fields: [(UInt64, [UInt8])]) -> [UInt8] {
        var writer = ProtobufWriter()
        for (number, content) in fields { writer.append(number, content) }
        return writer.bytes
    }

    /// A model that declares the shapes of two inputs, an output and an intermediate tensor. It has one node and a
    /// weight in an external file.
    private var small: [UInt8] {
        func value(_ name: String) -> [UInt8] {
            message([(1, Array(name.utf8)), (2, message([(1, [8, 1] + message([(2, message([(1, [8, 5])]))]))]))])
        }
        func entry(_ key: String, _ value: String) -> [UInt8] {
            message([(1, Array(key.utf8)), (2, Array(value.utf8))])
        }
        let node = message([(1, Array("a".utf8)), (2, Array("inner".utf8)), (4, Array("Ceil".utf8))])
        let weight = message([(8, Array("w".utf8)), (13, entry("offset", "4096")), (13, entry("length", "100"))])
        let graph = message([
            (1, node), (5, weight), (11, value("a")), (11, value("b")), (12, value("out")), (13, value("inner")),
        ])
        return [8, 9] + message([(2, Array("test".utf8)), (7, graph)])
    }

    @Test("Repeated constants in a nested graph are removed at any depth")
    func repeats() throws {
        func tensor(_ name: String) -> [UInt8] { message([(1, [3]), (8, Array(name.utf8))]) }
        func node(_ graph: [UInt8]) -> [UInt8] {
            message([(4, Array("Loop".utf8)), (5, message([(1, Array("body".utf8)), (6, graph)]))])
        }
        func model(inner: [String], innermost: [String]) -> [UInt8] {
            let deepest = message(innermost.map { (5, tensor($0)) })
            let graph = message([(1, node(deepest))] + inner.map { (5, tensor($0)) })
            return message([(7, message([(1, node(graph)), (5, tensor("a")), (5, tensor("b"))]))])
        }
        let bytes = model(inner: ["a", "c", "a", "c"], innermost: ["d", "d"])
        let rewritten = try bytes.withUnsafeBytes { try ModelGraph($0).bytes() }
        #expect(rewritten == model(inner: ["a", "c"], innermost: ["d"]))
    }

    @Test("Graphs that are nested too deeply are rejected")
    func depth() throws {
        var graph: [UInt8] = []
        for _ in 0..<1000 { graph = message([(1, message([(5, message([(6, graph)]))]))]) }
        let bytes = message([(7, graph)])
        expectDamage { _ = try bytes.withUnsafeBytes { try ModelGraph($0).bytes() } }
    }

    @Test("A message's fields are read in order, with their numbers and positions")
    func fields() throws {
        let bytes: [UInt8] = [0x08, 0x96, 0x01, 0x12, 0x03, 1, 2, 3, 0x1D, 1, 2, 3, 4, 0x21, 1, 2, 3, 4, 5, 6, 7, 8]
        var found: [(UInt64, Range<Int>)] = []
        try bytes.withUnsafeBytes { memory in
            var fields = ProtobufFields(memory)
            while let field = try fields.next() {
                found.append((field.number, field.whole))
                switch (field.number, field.value) {
                case (1, .integer(let value)): #expect(value == 150)
                case (2, .bytes(let range)): #expect(range == 5..<8)
                case (3, .fixed(let range)): #expect(range == 9..<13)
                case (4, .fixed(let range)): #expect(range == 14..<22)
                default: Issue.record("Unexpected field \(field.number)")
                }
            }
        }
        #expect(found.map(\.0) == [1, 2, 3, 4])
        #expect(found.map(\.1) == [0..<3, 3..<8, 8..<13, 13..<22])
    }

    @Test(
        "Malformed bytes cause an error",
        arguments: [
            [0x08], [0x08, 0x80], [0x12, 0x05, 1], [0x0B], [0x0F], [0x00, 0x00], [0x1D, 1, 2, 3],
            [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        expectDamage {
            try bytes.withUnsafeBytes { memory in
                var fields = ProtobufFields(memory)
                while try fields.next() != nil {}
            }
        }
    }

    @Test("Removing the shapes leaves everything else unchanged, and doing so again has no effect")
    func shapes() throws {
        let stripped = try small.withUnsafeBytes { try ModelGraph($0).bytes() }
        let again = try stripped.withUnsafeBytes { try ModelGraph($0).bytes() }
        #expect(stripped == again)
        func value(_ name: String) -> [UInt8] { message([(1, Array(name.utf8)), (2, message([(1, [8, 1])]))]) }
        for name in ["a", "b", "out"] { #expect(stripped.firstRange(of: value(name)) != nil) }
        #expect(stripped.firstRange(of: value("inner")) == nil)
        let read = try stripped.withUnsafeBytes { memory in
            let graph = try ModelGraph(memory)
            return (graph.outputs.map(\.name), graph.output(ofOnly: "Ceil"), graph.externalSize)
        }
        #expect(read.0 == ["out"])
        #expect(read.1 == "inner")
        #expect(read.2 == 4196)
    }

    @Test("The appendix adds an output to the graph")
    func appendix() throws {
        let bytes = small + ModelGraph.appendix(exposing: "inner")
        let outputs = try bytes.withUnsafeBytes { try ModelGraph($0).outputs.map(\.name) }
        #expect(outputs == ["out", "inner"])
    }

    /// The number of mutations. To run more: `SYNTHHOST_MUTATIONS=1000000 Scripts/sanitize address --filter Protobuf`.
    private static let mutations = Int(ProcessInfo.processInfo.environment["SYNTHHOST_MUTATIONS"] ?? "") ?? 2000

    @Test("No mutation of a model makes the reader access memory outside the model's bytes", arguments: 0..<8)
    func fuzz(seed: Int) throws {
        var random = SeededRandom(UInt64(seed))
        let voice = try Data(contentsOf: URL(filePath: TestVoice.tern)).prefix(20_000)
        var refused = 0
        for round in 0..<Self.mutations {
            var bytes = round % 20 == 0 ? Array(voice) : small
            for _ in 0...Int.random(in: 0..<6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], at: place)
                case 3 where bytes.count > 8: bytes.removeSubrange(place..<min(place + 4, bytes.count))
                default: bytes = Array(bytes.prefix(max(place, 1)))
                }
            }
            // The memory has exactly the size of the content, so that AddressSanitizer detects reads past the end.
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            defer { memory.deallocate() }
            memory.copyBytes(from: bytes)
            do {
                let graph = try ModelGraph(UnsafeRawBufferPointer(memory))
                _ = graph.output(ofOnly: "Ceil")
                for tensor in graph.initializers {
                    guard let (place, range) = graph.raw(tensor, weights: UnsafeRawBufferPointer(memory)) else {
                        continue
                    }
                    #expect(range.lowerBound >= 0 && range.upperBound <= place.count)
                }
                let written = try graph.bytes()
                // Reading the written bytes and writing them again changes nothing.
                let again = try written.withUnsafeBytes { try ModelGraph($0).bytes() }
                #expect(again == written)
            } catch {
                refused += 1
            }
        }
        #expect(refused > Self.mutations / 20)
    }

    @Test("A digest depends on every bit but not on how the input is divided")
    func digest() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var whole = ContentDigest()
        whole.update(bytes)
        for size in [1, 3, 31, 32, 33, 500] {
            var pieces = ContentDigest()
            for start in stride(from: 0, to: bytes.count, by: size) {
                pieces.update(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(pieces.value == whole.value)
        }
        var seen: Set<UInt64> = [whole.value]
        for bit in 0..<8000 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            var digest = ContentDigest()
            digest.update(changed)
            #expect(seen.insert(digest.value).inserted)
        }
    }
}
