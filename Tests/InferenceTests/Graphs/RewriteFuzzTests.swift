import Foundation
import Testing
import TestNumbers
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct RewriteFuzzTests {
    /// The number of mutations. To run more: `SYNTHHOST_MUTATIONS=100000 Scripts/sanitize address --filter RewriteFuzz`.
    private static let mutations = Int(ProcessInfo.processInfo.environment["SYNTHHOST_MUTATIONS"] ?? "") ?? 300

    typealias Rewrite = @Sendable (inout GraphEditor) throws -> Void

    static let ofVocoders: [Rewrite] = [
        {
            try BlockedDecoder.apply(to: &$0, block: 8)
            _ = try BlockedConvolutions.apply(to: &$0, block: 8)
        },
        { try BlockedDecoder.apply(to: &$0, block: 8) },
        { try BlockedDecoder.apply(to: &$0, block: 8, hasIntegers: true) }, { _ = try PhasedUpsampling.apply(to: &$0) },
        { editor in
            let (_, graphs) = try ModelCut.parts(of: editor, output: "output")
            for graph in graphs { _ = try graph.bytes() }
            editor = GraphEditor(graphs[graphs.count - 1], weights: editor.weights)
            try BlockedDecoder.apply(to: &editor, block: 8)
        },
    ]
    static let ofStyledVocoders: [Rewrite] = [
        {
            _ = try StyledNorms.apply(to: &$0)
            _ = try FoldedSines.apply(to: &$0)
            _ = try BlockedConvolutions.apply(to: &$0, block: 8)
        },
        { _ = try StyledNorms.apply(to: &$0) }, { _ = try FoldedSines.apply(to: &$0) },
        { _ = try BlockedConvolutions.apply(to: &$0, block: 8) },
        { _ = try BlockedConvolutions.apply(to: &$0, block: 8, hasIntegers: true) },
    ]

    @Test("A damaged model is either rewritten or rejected", arguments: 0..<4)
    func damaged(seed: Int) throws {
        let vocoder = TinyModel.Vocoder(channels: 32, strides: [2, 16], blocks: [(3, [1, 2])], firstTaps: 3)
        let whole = TinyVoice.model(vocoder, hasFlow: true).bytes
        try whole.withUnsafeBytes { memory in
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            for rewrite in Self.ofVocoders {
                var editor = GraphEditor(try ModelGraph(memory), weights: none)
                try rewrite(&editor)
            }
            let cuts = try ModelCut.parts(of: GraphEditor(ModelGraph(memory), weights: none), output: "output").cuts
            #expect(cuts.map(\.stages.count) == [2, 2])
        }
        let (refused, changed) = try damage(whole, seed, Self.ofVocoders)
        #expect(refused > Self.mutations / 20)
        #expect(changed > Self.mutations / 20)
    }

    @Test("A damaged model with styled norms is either rewritten or rejected", arguments: 0..<4)
    func damagedStyled(seed: Int) throws {
        let (refused, changed) = try damage(Self.styled(seed).bytes, seed, Self.ofStyledVocoders)
        #expect(refused > Self.mutations / 20)
        #expect(changed > Self.mutations / 20)
    }

    static func styled(_ seed: Int) -> TinyModel {
        let forms = TinyModel.SineForm.allCases
        return TinyModel.styledVocoder(
            .init(
                channels: 16, stride: 2, blocks: [(5, [1, 3])], form: forms[seed % forms.count],
                norms: TinyModel.NormForm.allCases[seed % TinyModel.NormForm.allCases.count], makesNoise: true))
    }

    static let ofSmallNumbers: [Rewrite] = [
        { _ = try DequantizedWeights.apply(to: &$0) },
        { editor in
            var graph = editor.graph
            try HalfPrecision.remove(from: &graph)
            editor = GraphEditor(graph, weights: editor.weights)
        },
    ]

    @Test("A damaged quantized model is either converted to floats or rejected", arguments: 0..<4)
    func damagedSmallNumbers(seed: Int) throws {
        let models = [
            QuantizedVoice(.init()).quantized, QuantizedVoice(.init(isFused: true)).quantized, HalfVoice().half,
        ]
        for model in models {
            let (refused, changed) = try damage(model.bytes, seed, Self.ofSmallNumbers)
            #expect(refused > Self.mutations / 20)
            #expect(changed > Self.mutations / 20)
        }
    }

    /// Returns how many models were rejected and how many were rewritten.
    private func damage(_ whole: [UInt8], _ seed: Int, _ rewrites: [Rewrite]) throws -> (refused: Int, changed: Int) {
        var random = SeededRandom(UInt64(seed))
        // Most of the file consists of weights, for which any bytes are valid. The nodes come before them.
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
            try rewrite(bytes, rewrites, &refused, &changed)
        }
        return (refused, changed)
    }

    private func rewrite(_ bytes: [UInt8], _ rewrites: [Rewrite], _ refused: inout Int, _ changed: inout Int) throws {
        // The memory has exactly the size of the content, so that AddressSanitizer detects reads past the end.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: bytes)
        do {
            _ = try? DeclaredShapes.keys(in: UnsafeRawBufferPointer(memory))
            let graph = try ModelGraph(UnsafeRawBufferPointer(memory))
            for rewrite in rewrites {
                var editor = GraphEditor(graph, weights: UnsafeRawBufferPointer(memory))
                var isChanged = true
                do {
                    try rewrite(&editor)
                } catch {
                    refused += 1
                    isChanged = false
                }
                var silent = editor.graph
                _ = ModelNoise.takeOut(of: &silent)
                let written = try silent.bytes()
                let isReadable = written.withUnsafeBytes { (try? ModelGraph($0)) != nil }
                #expect(isReadable)
                if isChanged { changed += 1 }
            }
        } catch {
            refused += 1
        }
    }
}
