import Foundation
import Testing
import TestNumbers
import TestSupport
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct ModelCutTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var vocoder = TinyModel.Vocoder()
        var hasFlow = true
        var speakers = 1

        var model: TinyModel { TinyVoice.model(vocoder, hasFlow: hasFlow, speakers: speakers) }
    }

    private static let cases = [
        Case(testDescription: "vocoder only", hasFlow: false), Case(testDescription: "flow"),
        Case(testDescription: "speakers", speakers: 3),
        Case(testDescription: "paired", vocoder: .init(channels: 128, strides: [8, 8, 4], isPaired: true)),
        Case(testDescription: "stages", vocoder: .init(channels: 128, strides: [8, 8, 4]), speakers: 3),
        Case(testDescription: "odd kernels", vocoder: .init(strides: [6, 2], firstTaps: 3)),
    ]

    /// A session with a model that was cut and, if possible, cut again before its vocoder, without other changes.
    private func halves(
        _ model: TinyModel, threads: Int = 1, _ rewrite: (inout GraphEditor) throws -> Void = { _ in }
    ) throws -> (session: InferenceSession, cut: ModelCut, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        return try model.bytes.withUnsafeBytes { memory in
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            var (cuts, graphs) = try ModelCut.parts(
                of: GraphEditor(ModelGraph(memory), weights: none), output: "output")
            var tail = GraphEditor(graphs.removeLast(), weights: none)
            try rewrite(&tail)
            graphs.append(tail.graph)
            let paths = try graphs.enumerated().map {
                try folder.write(Data(try $0.element.bytes()), to: "\($0.offset)")
            }
            let session = try InferenceSession(
                optimized: paths, ModelParts(cuts: cuts), KernelDomain.runtime, threads: threads)
            return (session, cuts[0], folder)
        }
    }

    /// Describes where samples are not numbers or differ.
    private static func wrong(_ expected: [Float], _ found: [Float]) -> String {
        let places = zip(expected, found).enumerated().filter { !(($1.0 - $1.1).magnitude < 1e-4) }
        return "\(places.count) differ, from \(places.prefix(3)) to \(places.suffix(3))"
    }

    private func samples(
        _ session: InferenceSession, _ inputs: [(name: String, tensor: InferenceTensor)],
        in sizes: (Int) -> Int
    ) throws -> [Float] {
        let sound = try session.runHead(inputs, outputs: [], as: InferenceRun()).sound
        var samples: [Float] = []
        var start = 0
        while start < sound.frameCount {
            let part = start..<min(sound.frameCount, start + sizes(start))
            samples += try sound.samples(of: part, as: InferenceRun())
            start = part.upperBound
        }
        #expect(samples.count == sound.sampleCount)
        return samples
    }

    @Test(
        "A model in two halves produces the same samples, whether run as a whole or in parts of any size",
        arguments: cases)
    func sameSamples(_ example: Case) throws {
        let model = example.model
        let (session, cut, folder) = try halves(model)
        defer { withExtendedLifetime(folder) {} }
        #expect(session.tail?.session.runsInParts == example.hasFlow)
        #expect(cut.inputs.isSuperset(of: cut.seam) && (cut.stages.count == 1) == (cut.inputs.count == cut.seam.count))
        #expect(cut.hop == example.vocoder.strides.reduce(1, *))
        #expect(cut.overlap > 0)
        for text in [[3], [1, 5, 9, 3, 7], TinyVoice.texts(4)[2]] as [[Int64]] {
            let inputs = TinyVoice.inputs(text, speaker: example.speakers > 1 ? 2 : nil)
            let expected = try TinyModel.run(model.bytes, inputs).numbers
            let whole = try session.run(inputs, outputs: ["output"], as: InferenceRun())[0].withFloats { Array($0) }
            #expect(relativeDifference(expected, whole ?? []) <= 1e-5)
            for size in [1, 2, 7, 16, 48, 1000] where size > 2 || text.count < 10 {
                let parts = try samples(session, inputs) { _ in size }
                #expect(
                    relativeDifference(expected, parts) <= 1e-5,
                    "parts of \(size): \(parts.count) of \(expected.count), \(Self.wrong(expected, parts))")
            }
            for (first, growth) in [(1, 2), (16, 3), (16, 4), (48, 4)] {
                let parts = try samples(session, inputs) { max(first, $0 * (growth - 1)) }
                #expect(
                    relativeDifference(expected, parts) <= 1e-5,
                    "first \(first), growth \(growth): \(parts.count) of \(expected.count), \(Self.wrong(expected, parts))"
                )
            }
        }
    }

    @Test("The part before the vocoder runs once for a short text and resumes where it left off for a longer one")
    func grows() throws {
        let (session, cut, folder) = try halves(TinyVoice.model(hasFlow: true))
        defer { withExtendedLifetime(folder) {} }
        for text in [[1, 5, 9, 3, 7, 8, 20, 11, 4, 6], TinyVoice.texts(4)[2]] as [[Int64]] {
            let isShort = text.count == 10
            let sound = try session.runHead(TinyVoice.inputs(text), outputs: [], as: InferenceRun()).sound
            let vocoder = try #require(session.tail?.session.tail?.cut)
            // Both texts have more frames than the vocoder's first frame depends on. Only the short text has no more
            // frames than the first frame of the entire second half depends on.
            #expect(sound.frameCount > 1 + vocoder.overlap)
            #expect((sound.frameCount <= 1 + cut.overlap) == isShort)
            _ = try sound.samples(of: 0..<1, as: InferenceRun())
            #expect(sound.computed == [0..<(isShort ? sound.frameCount : 1 + vocoder.overlap)])
            _ = try sound.samples(of: 1..<sound.frameCount, as: InferenceRun())
            #expect(sound.computed?.count == (isShort ? 1 : 2))
            #expect(sound.computed?.last?.upperBound == sound.frameCount)
        }
    }

    @Test("A stopped run changes nothing, and parts that are out of order are rejected")
    func stopped() throws {
        let (session, _, folder) = try halves(TinyVoice.model(.init(channels: 128, strides: [8, 8, 4]), hasFlow: true))
        defer { withExtendedLifetime(folder) {} }
        let sound = try session.runHead(
            TinyVoice.inputs(TinyVoice.texts(4)[2]), outputs: [], as: InferenceRun()
        ).sound
        let whole = try sound.samples(of: 0..<sound.frameCount, as: InferenceRun())
        let first = try sound.samples(of: 0..<16, as: InferenceRun())
        let stopped = try InferenceRun()
        stopped.terminate()
        #expect(throws: InferenceError.self) { _ = try sound.samples(of: 16..<32, as: stopped) }
        for frames in [15..<32, 17..<32] {
            #expect(throws: InferenceError.self) { _ = try sound.samples(of: frames, as: InferenceRun()) }
        }
        let second = try sound.samples(of: 16..<32, as: InferenceRun())
        #expect(relativeDifference(Array(whole[..<(32 * sound.samplesPerFrame)]), first + second) <= 1e-5)
    }

    @Test("Rewritten halves produce the same samples with any number of threads", arguments: [1, 2, 3, 4])
    func rewritten(threads: Int) throws {
        let block = try #require(BlockSize.probe(try KernelDomain.runtime))
        let model = TinyVoice.model(.init(channels: 128, strides: [8, 16]), hasFlow: true)
        let (session, cut, folder) = try halves(model, threads: threads) {
            try BlockedDecoder.apply(to: &$0, block: block)
        }
        defer { withExtendedLifetime(folder) {} }
        // Tensors between stages are also in blocks.
        #expect(session.tail?.session.tail?.cut.stages.count == 3 && cut.stages.count == 2)
        for text in TinyVoice.texts(4) {
            let inputs = TinyVoice.inputs(text)
            let expected = try TinyModel.run(model.bytes, inputs).numbers
            let parts = try samples(session, inputs) { max(16, $0 * 3) }
            #expect(relativeDifference(expected, parts) <= 1e-5)
        }
    }

    @Test("The flow is part of the second half, which reads two tensors")
    func seam() throws {
        let (session, cut, folder) = try halves(TinyVoice.model(hasFlow: true))
        defer { withExtendedLifetime(folder) {} }
        #expect(cut.seam.count == 2)
        #expect(session.inputs.map(\.name) == ["input", "input_lengths", "scales"])
        #expect(session.outputs.map(\.name) == ["output"])
        #expect(ModelCut(text: cut.text) == cut)
    }

    @Test(
        "The cut before the vocoder passes one tensor with a time axis and needs fewer frames", arguments: cases
    )
    func vocoder(_ example: Case) throws {
        try example.model.bytes.withUnsafeBytes { memory in
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            let halves = try ModelCut.halves(of: GraphEditor(ModelGraph(memory), weights: none), output: "output")
            let tail = GraphEditor(halves.tail, weights: none)
            guard example.hasFlow else {
                #expect(throws: InferenceError.refused("there are too few nodes before the vocoder")) {
                    _ = try ModelCut.vocoder(of: tail, halves.cut)
                }
                return
            }
            let parts = try ModelCut.vocoder(of: tail, halves.cut)
            // The second tensor is the vocoder's speaker embedding.
            #expect(parts.cut.seam.count == (example.speakers > 1 ? 2 : 1))
            #expect(parts.cut.hop == halves.cut.hop && parts.cut.overlap * 2 < halves.cut.overlap)
            let operations = parts.tail.nodes.map(\.operation)
            #expect(operations.first == "Conv" && !operations.contains("Split"))
            let count = halves.tail.nodes.count
            #expect(parts.head.nodes.count + parts.tail.nodes.count == count && !parts.head.nodes.isEmpty)
        }
    }

    @Test("A tensor whose name cannot be stored in the cache is not a seam")
    func strangeNames() throws {
        var model = TinyVoice.model(hasFlow: true)
        let name = try model.bytes.withUnsafeBytes { memory in
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            let halves = try ModelCut.halves(of: GraphEditor(ModelGraph(memory), weights: none), output: "output")
            return try ModelCut.vocoder(of: GraphEditor(halves.tail, weights: none), halves.cut).cut.seam[0]
        }
        for number in model.nodes.indices {
            model.nodes[number].inputs = model.nodes[number].inputs.map { $0 == name ? "a b" : $0 }
            model.nodes[number].outputs = model.nodes[number].outputs.map { $0 == name ? "a b" : $0 }
        }
        try model.bytes.withUnsafeBytes { memory in
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            let halves = try ModelCut.halves(of: GraphEditor(ModelGraph(memory), weights: none), output: "output")
            #expect(
                throws: InferenceError.refused("the names of the vocoder's input tensors cannot be stored in the cache")
            ) {
                try ModelCut.vocoder(of: GraphEditor(halves.tail, weights: none), halves.cut)
            }
        }
    }

    @Test(
        "A damaged line of a record is not parsed as a cut",
        arguments: [
            "", "1", "0 256 11 256:11:0 o", "-1 256 11 256:11:0 o s", "x 256 11 256:11:0 o s", "0 0 11 256:11:0 o s",
            "0 65537 11 256:11:0 o s", "0 256 -1 256:11:0 o s", "0 256 11 x o s", "0 256 11 256:11:1 o s",
        ])
    func record(text: String) throws {
        #expect(ModelCut(text: text) == nil)
        #expect(ModelCut(text: "0 256 11 256:11:0 o s")?.seam == ["s"])
    }

    @Test("Stages whose total stride differs from the part's do not match the cut")
    func fitting() throws {
        func fit(_ lines: String...) -> Bool { ModelCut.fit(lines.compactMap { ModelCut(text: $0) }) }
        #expect(fit("0 256 11 8:3:0,32:9:1 o s"))
        #expect(fit("0 256 43 1:8:0,1:8:1 o s", "0 256 11 8:3:0,32:9:1 o t"))
        #expect(!fit("0 256 11 8:3:0,16:9:1 o s"))
        #expect(!fit("0 256 43 2:8:0 o s", "0 256 11 256:3:0 o t"))
        #expect(!fit("0 256 11 65536:0:0,65536:0:1,65536:0:1,65536:0:1,65536:0:1,65536:0:1,65536:0:1,65536:0:1 o s"))
    }

    @Test("A seam with more frames than any real audio is rejected, even if it has no channels and needs no memory")
    func frames() throws {
        var model = TinyModel()
        model.output(model.add("Identity", [model.input("input", .float32, rank: 3)], as: "output"))
        let session = try InferenceSession(bytes: model.bytes, KernelDomain.runtime)
        func seam(_ frames: Int64) throws -> Seam {
            let none = InferenceTensor([Float](), shape: [1, 0, frames])
            return try Seam(["a"], session.run([("input", none)], outputs: ["output"], as: InferenceRun()))
        }
        #expect(try seam(1000).frameCount == 1000)
        #expect(throws: InferenceError.self) { _ = try seam(1 << 50) }
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        var reason: String
        var change: @Sendable (inout TinyModel) -> Void

        var testDescription: String { reason }
    }

    private static let noEnd = "no section of the model's final part has a bounded receptive field"

    private static let refused = [
        Refused(reason: noEnd) { model in
            // A sum over all time steps is added just before the audio.
            guard let end = model.nodes.firstIndex(where: { $0.operation == "Tanh" && $0.outputs == ["output"] }) else {
                return
            }
            let axis = model.constant([Int64(2)], [])
            model.nodes[end].inputs = [model.add("CumSum", [model.nodes[end].inputs[0], axis])]
        },
        Refused(reason: "the model's final part combines tensors of different lengths") { model in
            guard let sum = model.nodes.lastIndex(where: { $0.operation == "Add" }) else { return }
            model.nodes[sum].inputs[1] = model.add("Abs", ["Concat-2"])
        },
        Refused(reason: "the nodes of the model are not in topological order") { model in model.nodes.reverse() },
        Refused(reason: "the model does not return \"output\"") { model in
            guard let end = model.nodes.firstIndex(where: { $0.outputs == ["output"] }) else { return }
            model.nodes[end].outputs = ["other"]
            model.returns("other")
        },
    ]

    @Test("A model that cannot be cut is left whole, and the reason is reported", arguments: refused)
    func refusals(_ refused: Refused) throws {
        var model = TinyVoice.model(hasFlow: true)
        refused.change(&model)
        try model.bytes.withUnsafeBytes { memory in
            let editor = GraphEditor(
                try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            #expect(throws: InferenceError.refused(refused.reason)) {
                _ = try ModelCut.halves(of: editor, output: "output")
            }
        }
    }
}
