import Foundation
import TestNumbers
import Testing
import TinyModels

@testable import ONNXInference

@Suite struct RewriteFuzzTests {
    /// The number can be raised: `SYNTHHOST_MUTATIONS=100000 Scripts/sanitize address --filter RewriteFuzz`.
    private static let mutations = Int(ProcessInfo.processInfo.environment["SYNTHHOST_MUTATIONS"] ?? "") ?? 300

    @Test("a damaged model is rewritten or refused, and nothing else", arguments: 0..<4)
    func damaged(seed: Int) throws {
        let vocoder = TinyModel.Vocoder(channels: 16, strides: [2, 8], blocks: [(3, [1, 2])], firstTaps: 3)
        let whole = TinyVoice.model(vocoder, hasFlow: true).bytes
        var random = SeededRandom(UInt64(seed))
        // Most of the file is weights, which any bytes are; the nodes stand before them.
        let nodes = try #require(whole.firstRange(of: Array("tiny".utf8))).upperBound
        var (refused, changed) = (0, 0)
        for _ in 0..<Self.mutations {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<(Bool.random(using: &random) ? nodes : bytes.count), using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes[place] = 0xFF
                default: bytes[place] = bytes[Int.random(in: 0..<bytes.count, using: &random)]
                }
            }
            // Exactly as long as the content, so that the address sanitizer detects reads past the end.
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            defer { memory.deallocate() }
            memory.copyBytes(from: bytes)
            do {
                let graph = try ModelGraph(UnsafeRawBufferPointer(memory))
                let weights = UnsafeRawBufferPointer(memory)
                var blocked = GraphEditor(graph, weights: weights)
                var phased = blocked
                do { _ = try BlockedDecoder.apply(to: &blocked, block: 8, rows: 2) } catch { refused += 1 }
                do { _ = try PhasedUpsampling.apply(to: &phased) } catch { refused += 1 }
                var graphs = [blocked.graph, phased.graph]
                do {
                    let halves = try ModelCut.halves(of: GraphEditor(graph, weights: weights), output: "output")
                    graphs += [halves.head, halves.tail]
                } catch { refused += 1 }
                for graph in graphs {
                    let written = try graph.bytes()
                    changed += written.withUnsafeBytes { (try? ModelGraph($0)) == nil } ? 0 : 1
                }
            } catch {
                refused += 1
            }
        }
        #expect(refused > Self.mutations / 20)
        #expect(changed > Self.mutations / 20)
    }
}
