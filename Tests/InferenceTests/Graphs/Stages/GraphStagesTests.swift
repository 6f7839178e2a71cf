import Foundation
import Testing
import TestSupport
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite("Graphs in stages")
struct GraphStagesTests {
    /// Splits a model's graph and creates a session from the stages.
    private func staged(
        _ model: TinyModel, nodes: Int
    ) throws -> (session: InferenceSession, split: StageSplit, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        return try model.bytes.withUnsafeBytes { memory in
            let stages = GraphStages(try ModelGraph(memory), nodes: nodes)
            let paths = try stages.graphs.enumerated().map {
                try folder.write(Data(try $0.element.bytes()), to: "\($0.offset)")
            }
            let session = try InferenceSession(
                optimized: paths, ModelParts(split: stages.split), KernelDomain.runtime, threads: 2)
            return (session, stages.split, folder)
        }
    }

    private func split(_ model: TinyModel, nodes: Int) throws -> StageSplit {
        try model.bytes.withUnsafeBytes { GraphStages(try ModelGraph($0), nodes: nodes).split }
    }

    @Test("Stages produce bit-identical results", arguments: [2, 3, 4])
    func sameNumbers(count: Int) throws {
        let model = TinyVoice.model(hasFlow: true, speakers: 3)
        let (session, split, folder) = try staged(model, nodes: model.nodes.count / count)
        defer { withExtendedLifetime(folder) {} }
        #expect(split == StageSplit(count: count, outputs: ["output"]), "\(model.nodes.count) nodes")
        #expect(Set(session.inputs.map(\.name)) == ["input", "input_lengths", "scales", "sid"])
        #expect(session.outputs.map(\.name) == ["output"])
        for text in TinyVoice.texts(4) {
            let inputs = TinyVoice.inputs(text, speaker: 2)
            let expected = try TinyModel.run(model.bytes, inputs, threads: 2).numbers
            let numbers = try session.run(inputs, outputs: ["output"], as: InferenceRun())[0].withFloats { Array($0) }
            #expect(isSame(numbers ?? [], expected))
        }
    }

    @Test("Errors name the missing tensor, and a run in stages can be stopped")
    func failures() throws {
        let model = TinyVoice.model(hasFlow: true)
        let (session, _, folder) = try staged(model, nodes: model.nodes.count / 3)
        defer { withExtendedLifetime(folder) {} }
        let inputs = TinyVoice.inputs([1, 2, 3])
        #expect(throws: InferenceError.self) {
            try session.run(Array(inputs.dropFirst()), outputs: ["output"], as: InferenceRun())
        }
        #expect(throws: InferenceError(.run, "the model returns no sound")) {
            try session.run(inputs, outputs: ["sound"], as: InferenceRun())
        }
        let stopped = try InferenceRun()
        stopped.terminate()
        #expect { try session.run(inputs, outputs: ["output"], as: stopped) } throws: {
            ($0 as? InferenceError)?.reason == .terminated
        }
    }

    /// A chain of additions with a special node in the middle.
    private func chain(_ special: (inout TinyModel, String) -> String) -> TinyModel {
        var model = TinyModel()
        var last = model.input("input", .float32, rank: 1)
        let one = model.constant([Float(1)], [1])
        for place in 0..<40 {
            last = place == 20 ? special(&model, last) : model.add("Add", [last, one])
        }
        model.output(last)
        return model
    }

    @Test("Neither small graphs nor graphs whose tensors are all of unknown type are split")
    func whole() throws {
        let plain = chain { $0.add("Neg", [$1]) }
        #expect(try split(plain, nodes: 20).count == 2)
        #expect(try split(plain, nodes: 21) == StageSplit())
        let unknown = chain { model, last in
            let strange = model.add("NobodyKnows", [last])
            return model.add("Add", [strange, last])
        }
        // The graph can be split before the special node, but not in the middle.
        #expect(try split(unknown, nodes: 20).count == 2)
        var everywhere = TinyModel()
        var last = everywhere.add("NobodyKnows", [everywhere.input("input", .float32, rank: 1)])
        for _ in 0..<40 { last = everywhere.add("Neg", [last]) }
        everywhere.output(last)
        #expect(try split(everywhere, nodes: 10) == StageSplit())
    }

    @Test("Outputs keep their order, and later stages get the outputs that they read even if no caller requests those")
    func order() throws {
        var model = chain { $0.add("Neg", [$1]) }
        let ends = [39, 19, 2].map { model.nodes[$0].outputs[0] }
        let (last, middle, first) = (ends[0], ends[1], ends[2])
        model.returns(last)
        for output in [middle, first] { model.output(output) }
        let (session, split, folder) = try staged(model, nodes: 20)
        defer { withExtendedLifetime(folder) {} }
        #expect(split == StageSplit(count: 2, outputs: [last, middle, first]))
        #expect(session.outputs.map(\.name) == [last, middle, first])
        let inputs = [("input", InferenceTensor([Float(1)], shape: [1]))]
        for wanted in [[last], [first], [middle, last], [last, first, middle]] {
            let found = try session.run(inputs, outputs: wanted, as: InferenceRun())
            let expected: [String: Float] = [last: -2, middle: 21, first: 4]
            #expect(found.map { $0.doubles().map { Float($0[0]) } } == wanted.map { expected[$0] })
        }
    }

    @Test("The text part of a multi-speaker voice is split")
    func head() throws {
        let model = TinyVoice.model(hasFlow: true, speakers: 3)
        try model.bytes.withUnsafeBytes { memory in
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            let halves = try ModelCut.halves(of: GraphEditor(ModelGraph(memory), weights: none), output: "output")
            let stages = GraphStages(halves.head, nodes: halves.head.nodes.count / 2)
            #expect(stages.split == StageSplit(count: 2, outputs: halves.cut.seam) && halves.cut.seam.count > 2)
        }
    }

    @Test("Omitted optional inputs and outputs do not prevent a split")
    func leftOut() throws {
        let model = chain { $0.add("Clip", [$1, "", "c0"]) }
        var other = model
        for number in other.nodes.indices { other.nodes[number].outputs.append("") }
        #expect(try split(other, nodes: 20) == split(model, nodes: 20) && split(model, nodes: 20).count == 2)
    }

    @Test("A split can be parsed from a cache record but not from other text")
    func text() {
        for split in [StageSplit(), StageSplit(count: 3, outputs: ["a/b", "c"])] {
            #expect(StageSplit(text: split.text) == split)
        }
        let many = "2 " + (0...StageSplit.maximumOutputs).map { "t\($0)" }.joined(separator: " ")
        for text in ["", "0", "-1 a", "5 a", "2", "x", "a 2", "99999999999999999999", many] {
            #expect(StageSplit(text: text) == nil, "\(text.prefix(20))")
        }
    }

    @Test("The element types of tensors are derived from the operators")
    func types() throws {
        var model = TinyModel()
        let (ids, numbers) = (model.input("ids", .int64, rank: 1), model.input("numbers", .float32, rank: 1))
        let kinds: [(String, Int64?)] = [
            (ids, 7), (numbers, 1), (model.add("Cast", [ids], ["to": .integer(6)]), 6),
            (model.add("Equal", [numbers, numbers]), 9), (model.add("Shape", [numbers]), 7),
            (model.add("Where", ["unknown", numbers, ids]), 1), (model.add("Mul", [ids, ids]), 7),
            (model.add("RandomNormalLike", [ids], ["dtype": .integer(1)]), 1), (model.add("NobodyKnows", [ids]), nil),
            (model.add("Mul", ["nothing", numbers]), nil), (model.constant([Int64(1)]), 7),
        ]
        model.output(numbers)
        try model.bytes.withUnsafeBytes { memory in
            let types = ElementTypes(try ModelGraph(memory))
            for (name, element) in kinds { #expect(types[name] == element, "\(name)") }
        }
    }
}
