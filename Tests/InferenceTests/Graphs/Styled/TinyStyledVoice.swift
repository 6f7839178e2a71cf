import Testing
import TestNumbers
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

extension TinyModel {
    static let styleWidth = 8

    /// The ways in which models express the activation `x + sin(a x)² / a`.
    enum SineForm: CaseIterable {
        case powerAndReciprocal, powerAndQuotient, productAndReciprocal, swapped
    }

    /// The ways in which models express a norm over time.
    enum NormForm: CaseIterable {
        case oneNode, steps, power, reciprocal, quotientOfOne, twoDifferences, axesInside
    }

    /// A vocoder as in StyleTTS 2, with few channels. It reads `input`, [1, channels, frames], and `style`.
    struct StyledVocoder {
        var channels = 64
        var stride = 4
        /// The taps and dilations of the blocks.
        var blocks: [(taps: Int, dilations: [Int])] = [(5, [1, 3]), (7, [1, 5])]
        var form = SineForm.powerAndReciprocal
        var norms = NormForm.oneNode
        var makesNoise = false
    }

    static func styledVocoder(_ shape: StyledVocoder, seed: UInt64 = 1) -> TinyModel {
        var model = TinyModel(seed: seed)
        var value = model.input("input", .float32, rank: 3)
        let style = model.input("style", .float32, rank: 2)
        if shape.makesNoise {
            let noise = model.add("RandomNormalLike", [value])
            value = model.add("Add", [value, model.add("Mul", [noise, model.constant([Float(0.1)], [])])])
        }
        value = model.upsampling(
            model.activation(value), from: shape.channels, to: shape.channels / 2, taps: 2 * shape.stride,
            stride: shape.stride, padding: (shape.stride / 2, shape.stride / 2))
        let channels = shape.channels / 2
        for block in shape.blocks {
            for dilation in block.dilations {
                var inner = value
                for step in [dilation, 1] {
                    inner = model.styledNorm(inner, style, channels, shape.norms)
                    inner = model.sine(inner, channels, shape.form)
                    inner = model.convolution(inner, from: channels, to: channels, taps: block.taps, dilation: step)
                }
                value = model.add("Add", [inner, value])
            }
        }
        let sound = model.convolution(model.activation(value), from: channels, to: 1, taps: 7)
        model.output(model.add("Tanh", [sound], as: "output"))
        return model
    }

    /// Adds a norm whose scale and bias are computed from a style.
    mutating func styledNorm(
        _ input: String, _ style: String, _ channels: Int, _ form: NormForm = .oneNode, ownScale: Float = 1,
        ownBias: Float = 0
    ) -> String {
        let vector = add("MatMul", [style, noise([Self.styleWidth, 2 * channels], 0.3)])
        let column = add("Reshape", [vector, constant([1, 2 * Int64(channels), 1])])
        let parts = ["scale-\(nodes.count)", "bias-\(nodes.count)"]
        nodes.append(
            GraphNode(
                "Split", inputs: [column, constant([Int64(channels), Int64(channels)])], outputs: parts,
                attributes: [GraphAttribute("axis", .integer(1))]))
        let scale = add("Add", [parts[0], constant([Float(1)], [])])
        let normed =
            form == .oneNode
            ? add(
                "InstanceNormalization",
                [
                    input, constant([Float](repeating: ownScale, count: channels), [channels]),
                    constant([Float](repeating: ownBias, count: channels), [channels]),
                ], ["epsilon": .float(1e-5)]) : norm(input, form)
        return add("Add", [add("Mul", [scale, normed]), parts[1]])
    }

    private mutating func norm(_ input: String, _ form: NormForm) -> String {
        if form == .axesInside { operatorVersion = 17 } else { operatorVersion = 18 }
        func mean(_ name: String, _ model: inout TinyModel) -> String {
            form == .axesInside
                ? model.add("ReduceMean", [name], ["axes": .integers([-1]), "keepdims": .integer(1)])
                : model.add("ReduceMean", [name, model.constant([Int64(2)])], ["keepdims": .integer(1)])
        }
        let difference = add("Sub", [input, mean(input, &self)])
        let other = form == .twoDifferences ? add("Sub", [input, mean(input, &self)]) : difference
        let square =
            form == .power
            ? add("Pow", [other, constant([Float(2)], [])]) : add("Mul", [other, other])
        let deviation = add("Sqrt", [add("Add", [mean(square, &self), constant([Float(1e-5)], [])])])
        switch form {
        case .reciprocal: return add("Mul", [difference, add("Reciprocal", [deviation])])
        case .quotientOfOne:
            return add("Mul", [add("Div", [constant([Float(1)], []), deviation]), difference])
        default: return add("Div", [difference, deviation])
        }
    }

    mutating func sine(
        _ input: String, _ channels: Int, _ form: SineForm = .powerAndReciprocal, error: Float = 0
    ) -> String {
        let factors = (0..<channels).map { 0.5 + Float($0 % 7) / 3 }
        let shape = [1, channels, 1]
        let factor = constant(factors, shape)
        let wave = add("Sin", [add("Mul", form == .swapped ? [input, factor] : [factor, input])])
        let square =
            form == .productAndReciprocal
            ? add("Mul", [wave, wave]) : add("Pow", [wave, constant([Float(2)], [])])
        let reciprocal = constant(factors.map { 1 / $0 + error }, shape)
        let quotient =
            switch form {
            case .powerAndQuotient: add("Div", [square, factor])
            case .swapped: add("Mul", [square, reciprocal])
            case .powerAndReciprocal, .productAndReciprocal: add("Mul", [reciprocal, square])
            }
        return add("Add", form == .swapped ? [quotient, input] : [input, quotient])
    }

    static func styled(
        _ frames: Int, channels: Int, seed: UInt64 = 5
    ) -> [(name: String, tensor: InferenceTensor)] {
        var random = SeededRandom(seed)
        let style = (0..<styleWidth).map { _ in Float.random(in: -1...1, using: &random) }
        return Self.frames(frames, channels: channels, seed: seed) + [
            ("style", InferenceTensor(style, shape: [1, Int64(styleWidth)]))
        ]
    }

    /// Returns the number of a model's nodes with this operation.
    func count(_ operation: String, domain: String = "") -> Int {
        nodes.count { $0.operation == operation && $0.domain == domain }
    }
}

extension GraphEditor {
    func count(_ operation: String, domain: String = "") -> Int {
        graph.nodes.count { $0.operation == operation && $0.domain == domain }
    }
}

extension TinyModel {
    /// Returns the index of a model's last node with this operation; 0 if there is none.
    static func place(_ operation: String, in model: TinyModel) -> Int {
        model.nodes.lastIndex { $0.operation == operation } ?? 0
    }

    /// Checks that two models with a style input produce the same samples.
    static func expectSameSamples(_ plain: [UInt8], _ rewritten: [UInt8], channels: Int) throws {
        for frames in [2, 3, 50] {
            let inputs = styled(frames, channels: channels)
            let expected = try run(plain, inputs)
            let found = try run(rewritten, inputs)
            #expect(expected.shape == found.shape)
            #expect(relativeDifference(expected.numbers, found.numbers) <= 1e-5)
        }
    }
}
