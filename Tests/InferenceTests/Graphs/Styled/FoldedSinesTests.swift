import Testing
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct FoldedSinesTests {
    private static let channels = 6

    private func model(
        _ form: TinyModel.SineForm = .powerAndReciprocal, error: Float = 0,
        _ change: (inout TinyModel) -> Void = { _ in }
    ) -> TinyModel {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let style = model.input("style", .float32, rank: 2)
        let normed = model.styledNorm(input, style, Self.channels)
        let active = model.sine(normed, Self.channels, form, error: error)
        let convolved = model.convolution(active, from: Self.channels, to: 4, taps: 3)
        model.output(model.add("Identity", [convolved], as: "output"))
        change(&model)
        return model
    }

    @Test("The samples do not change", arguments: TinyModel.SineForm.allCases)
    func samples(form: TinyModel.SineForm) throws {
        let bytes = model(form).bytes
        let rewritten = try TinyModel.rewritten(bytes) {
            _ = try StyledNorms.apply(to: &$0)
            let count = try FoldedSines.apply(to: &$0)
            #expect(count == 1 && $0.count("Pow") + $0.count("Div") == 0)
        }
        try TinyModel.expectSameSamples(bytes, rewritten, channels: Self.channels)
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var error: Float = 0
        var form = TinyModel.SineForm.powerAndReciprocal
        var change: @Sendable (inout TinyModel) -> Void = { _ in }
    }

    private static let refused = [
        Refused(testDescription: "a divisor that differs from the factor", error: 0.01),
        Refused(testDescription: "a NaN divisor", error: .nan),
        Refused(testDescription: "an exponent other than 2") { model in
            let power = TinyModel.place("Pow", in: model)
            model.nodes[power].inputs[1] = model.constant([Float(3)], [])
        },
        Refused(testDescription: "a constant base and a variable exponent") { model in
            let power = TinyModel.place("Pow", in: model)
            model.nodes[power].inputs.swapAt(0, 1)
        },
        Refused(testDescription: "a constant dividend", form: .powerAndQuotient) { model in
            model.nodes[TinyModel.place("Div", in: model)].inputs.swapAt(0, 1)
        },
        Refused(testDescription: "another function") { $0.nodes[TinyModel.place("Sin", in: $0)].operation = "Cos" },
        Refused(testDescription: "the sine is an output") { model in
            model.output(model.nodes[TinyModel.place("Sin", in: model)].outputs[0])
        },
        Refused(testDescription: "the sum is an output") { model in
            model.output(model.nodes[TinyModel.place("Add", in: model)].outputs[0])
        },
        Refused(testDescription: "a sum with the wrong tensor") { model in
            model.nodes[TinyModel.place("Add", in: model)].inputs[0] = "input"
        },
        Refused(testDescription: "no convolution follows") {
            $0.nodes[TinyModel.place("Conv", in: $0)].operation = "Neg"
        },
        Refused(testDescription: "a grouped convolution") { model in
            model.nodes[TinyModel.place("Conv", in: model)].attributes.append(GraphAttribute("group", .integer(2)))
        },
        Refused(testDescription: "the sum is the convolution's bias") { model in
            model.nodes[TinyModel.place("Conv", in: model)].inputs.swapAt(0, 2)
        },
        Refused(testDescription: "a sine without inputs") { $0.nodes[TinyModel.place("Sin", in: $0)].inputs = [] },
        Refused(testDescription: "a sine without outputs") { $0.nodes[TinyModel.place("Sin", in: $0)].outputs = [] },
        Refused(testDescription: "a convolution without inputs") {
            $0.nodes[TinyModel.place("Conv", in: $0)].inputs = []
        },
        Refused(testDescription: "factors for a different number of channels") { model in
            let product =
                model.nodes.firstIndex { $0.outputs == model.nodes[TinyModel.place("Sin", in: model)].inputs } ?? 0
            model.nodes[product].inputs[0] = model.constant([Float](repeating: 1, count: 12), [2, 6, 1])
        },
        Refused(testDescription: "an epsilon that is not a float") { model in
            let norm = TinyModel.place("InstanceNormalization", in: model)
            model.nodes[norm].attributes = [GraphAttribute("epsilon", .integer(1))]
        },
        Refused(testDescription: "a Round node depends on the output") { _ = $0.add("Round", ["output"]) },
    ]

    @Test("Unsupported activations are left unchanged", arguments: refused)
    func refusals(_ refused: Refused) throws {
        try model(refused.form, error: refused.error, refused.change).bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            // Some of these changes also make the norm unsupported.
            _ = try? StyledNorms.apply(to: &editor)
            let before = editor.graph.nodes.map { $0.bytes(memory) }
            #expect(throws: InferenceError.refused("no norm is followed by a sine and a convolution")) {
                _ = try FoldedSines.apply(to: &editor)
            }
            let after = editor.graph.nodes.map { $0.bytes(memory) }
            #expect(after == before)
        }
    }
}
