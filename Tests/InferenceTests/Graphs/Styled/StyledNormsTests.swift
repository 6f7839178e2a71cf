import Testing
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct StyledNormsTests {
    private static let channels = 6

    private func model(
        ownScale: Float = 1, ownBias: Float = 0, _ change: (inout TinyModel) -> Void = { _ in }
    ) -> TinyModel {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let style = model.input("style", .float32, rank: 2)
        let normed = model.styledNorm(input, style, Self.channels, ownScale: ownScale, ownBias: ownBias)
        model.output(model.add("Identity", [normed], as: "output"))
        change(&model)
        return model
    }

    @Test("The samples do not change", arguments: [(1, 0), (1.5, 0), (1, 0.25), (0.5, -2)] as [(Float, Float)])
    func samples(ownScale: Float, ownBias: Float) throws {
        let bytes = model(ownScale: ownScale, ownBias: ownBias).bytes
        let rewritten = try TinyModel.rewritten(bytes) {
            let count = try StyledNorms.apply(to: &$0)
            #expect(count == 1 && $0.count("InstanceNormalization") == 1)
        }
        try TinyModel.expectSameSamples(bytes, rewritten, channels: Self.channels)
    }

    @Test("A norm is recognized in every form that exporters write", arguments: TinyModel.NormForm.allCases)
    func forms(form: TinyModel.NormForm) throws {
        var model = TinyModel()
        let (input, style) = (model.input("input", .float32, rank: 3), model.input("style", .float32, rank: 2))
        let normed = model.styledNorm(input, style, Self.channels, form)
        model.output(model.add("Identity", [normed], as: "output"))
        let bytes = model.bytes
        let rewritten = try TinyModel.rewritten(bytes) {
            let count = try StyledNorms.apply(to: &$0)
            #expect(count == 1 && $0.count("InstanceNormalization") == 1)
            #expect(["ReduceMean", "Sqrt", "Sub", "Div"].allSatisfy { [editor = $0] in editor.count($0) == 0 })
        }
        try TinyModel.expectSameSamples(bytes, rewritten, channels: Self.channels)
    }

    @Test(
        "A norm that an optimizer has shared between several styles is split into one norm per style",
        arguments: TinyModel.NormForm.allCases)
    func shared(form: TinyModel.NormForm) throws {
        var model = TinyModel()
        let (input, style) = (model.input("input", .float32, rank: 3), model.input("style", .float32, rank: 2))
        let sums = (0..<3).map { _ in model.styledNorm(input, style, Self.channels, form) }
        func product(_ sum: String) throws -> Int {
            let node = try #require(model.nodes.first { $0.outputs == [sum] })
            return try #require(model.nodes.firstIndex { $0.outputs == [node.inputs[0]] })
        }
        let normed = model.nodes[try product(sums[0])].inputs[1]
        for sum in sums.dropFirst() { model.nodes[try product(sum)].inputs[1] = normed }
        model.output(model.add("Add", [model.add("Mul", [sums[0], sums[1]]), sums[2]], as: "output"))
        let bytes = model.bytes
        let rewritten = try TinyModel.rewritten(bytes) {
            let count = try StyledNorms.apply(to: &$0)
            #expect(count == 3 && $0.count("InstanceNormalization") == 3)
        }
        try TinyModel.expectSameSamples(bytes, rewritten, channels: Self.channels)
    }

    @Test("Nodes that do not form a norm over time are left unchanged")
    func otherSteps() throws {
        let changes: [(inout TinyModel) -> Void] = [
            { $0.nodes[TinyModel.place("Sub", in: $0)].inputs[0] = "other" },
            { $0.nodes[TinyModel.place("ReduceMean", in: $0)].attributes = [GraphAttribute("keepdims", .integer(0))] },
            { model in model.nodes[TinyModel.place("ReduceMean", in: model)].inputs[1] = model.constant([Int64(1)]) },
            { model in
                let place = TinyModel.place("Sqrt", in: model)
                model.nodes[place].operation = "Exp"
            },
            { model in model.nodes[TinyModel.place("Mul", in: model) - 0].inputs[1] = "other" },
        ]
        for (number, change) in changes.enumerated() {
            var model = TinyModel()
            let (input, style) = (model.input("input", .float32, rank: 3), model.input("style", .float32, rank: 2))
            _ = model.input("other", .float32, rank: 3)
            model.output(model.styledNorm(input, style, Self.channels, .steps))
            change(&model)
            expectRefusal("\(number)") {
                _ = try TinyModel.rewritten(model.bytes) { _ = try StyledNorms.apply(to: &$0) }
            }
        }
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable (inout TinyModel) -> Void
    }

    private static let refused = [
        Refused(testDescription: "two nodes read the norm") { model in
            let norm = model.nodes[TinyModel.place("InstanceNormalization", in: model)].outputs[0]
            model.output(model.add("Neg", [norm]))
        },
        Refused(testDescription: "the norm is an output") { model in
            model.output(model.nodes[TinyModel.place("InstanceNormalization", in: model)].outputs[0])
        },
        Refused(testDescription: "the product is an output") { model in
            model.output(model.nodes[TinyModel.place("Mul", in: model)].outputs[0])
        },
        Refused(testDescription: "a sum with the wrong tensor") { model in
            model.nodes[TinyModel.place("Add", in: model)].inputs[1] = "input"
        },
        Refused(testDescription: "a scale that is not from the style") { model in
            model.nodes[TinyModel.place("Mul", in: model)].inputs[0] = "input"
        },
        Refused(testDescription: "a bias from another vector") { model in
            let other = model.add("Split", ["input"])
            model.nodes[TinyModel.place("Add", in: model)].inputs[1] = other
        },
        Refused(testDescription: "a norm that is multiplied by itself") { model in
            let place = TinyModel.place("Mul", in: model)
            model.nodes[place].inputs[0] = model.nodes[place].inputs[1]
        },
        Refused(testDescription: "no inputs") {
            $0.nodes[TinyModel.place("InstanceNormalization", in: $0)].inputs = []
        },
        Refused(testDescription: "no outputs") {
            $0.nodes[TinyModel.place("InstanceNormalization", in: $0)].outputs = []
        },
        Refused(testDescription: "a split without inputs") { $0.nodes[TinyModel.place("Split", in: $0)].inputs = [] },
        Refused(testDescription: "computed weights") { model in
            let weights = model.add("Neg", [model.constant([Float](repeating: 1, count: 6), [6])])
            model.nodes[TinyModel.place("InstanceNormalization", in: model)].inputs[1] = weights
        },
        Refused(testDescription: "a Round node depends on the output") { _ = $0.add("Round", ["output"]) },
    ]

    @Test("Unsupported norms are left unchanged", arguments: refused)
    func refusals(_ refused: Refused) throws {
        try model(refused.change).bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            let before = try editor.graph.bytes()
            #expect(throws: InferenceError.refused("no norm gets its scale and bias from a style vector")) {
                _ = try StyledNorms.apply(to: &editor)
            }
            let after = try editor.graph.bytes()
            #expect(after == before)
        }
    }

    @Test("A norm whose scale depends on its output is rejected")
    func circle() throws {
        let bytes = model { model in
            model.nodes[TinyModel.place("MatMul", in: model)].inputs[0] = "output"
        }.bytes
        expectRefusal {
            _ = try TinyModel.rewritten(bytes) { _ = try StyledNorms.apply(to: &$0) }
        }
    }
}
