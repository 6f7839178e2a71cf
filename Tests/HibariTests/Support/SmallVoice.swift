import SynthGraphs

/// A voice with the graph structure of Hibari's published voices, but with few channels and with noise as its audio. It
/// contains the nodes that the engine reads, in the order in which an exporter writes them.
struct SmallVoice {
    enum Fault {
        case none
        /// The nodes that process the text form a cycle.
        case cycle
        case notANumber
        /// A tensor that declares 10⁹ values but contains no values.
        case hugeTensor
        case zeroPoint
        case otherNorm
        case stride
        case withoutExpansion
        case otherActivation
        /// One symbol has an infinite duration.
        case endless
        /// Each symbol lasts 9 s.
        case slow
    }

    var vocabulary = 178
    var width = 16
    var blocks = 2
    /// Whether weights are quantized per output channel, as in the published voice Fenrir.
    var hasScaleOfEachOutput = false
    var isAnonymous = false
    var fault = Fault.none
    var inputs = ["ids", "speed"]
    var outputs = ["lh", "theta", "ln", "lr", "phi", "f0"]

    var bytes: [UInt8] {
        var maker = GraphMaker()
        maker.isAnonymous = isAnonymous
        maker.declare(input: inputs[0], 7)
        for name in inputs.dropFirst() { maker.declare(input: name, 1) }
        let content = encoder(&maker)
        let prosody = encoder(&maker)
        // The durations are e^x - 1, divided by the speed and rounded, but at least one.
        let last = convolution(&maker, gelu(&maker, convolution(&maker, prosody, width, width, 3)), 1, width, 1)
        let units = maker.node("Sub", [maker.node("Exp", [last]), maker.scalar(1)])
        let rounded = maker.node("Round", [maker.node("Div", [units, inputs.last ?? ""])])
        let places = maker.node("CumSum", [maker.node("Clip", [rounded, maker.scalar(1)])])
        let expanded = fault == .withoutExpansion ? prosody : maker.node("Gather", [prosody, places])
        var tensor = convolution(&maker, maker.node("Transpose", [expanded]), width, width, 1)
        tensor = chain(&maker, tensor, taps: 7)
        tensor = convolution(&maker, tensor, 4, width, 1)
        let pairs = maker.node(
            "Reshape", [maker.node("Reshape", [tensor, maker.integers([1, 2, 2, -1])]), maker.integers([1, 2, -1])])
        let first = maker.node("Gather", [pairs, maker.integers([0], isScalar: true)])
        let second = maker.node("Gather", [pairs, maker.integers([1], isScalar: true)])
        let pitch = maker.node("Mul", [first, maker.scalar(100)], as: "f0")
        let energy = maker.node("Div", [maker.node("Mul", [second, maker.scalar(5)]), maker.scalar(5)])
        let raised = maker.node("Add", [maker.node("Relu", [pitch]), maker.scalar(1)])
        let logarithm = maker.node("Div", [maker.node("Log", [raised]), maker.scalar(5)])
        let text = maker.node("Transpose", [maker.node("Gather", [content, places])])
        let joined = maker.node(
            "Concat", [text, maker.node("Unsqueeze", [logarithm]), maker.node("Unsqueeze", [energy])])
        tensor = chain(&maker, convolution(&maker, joined, width, width + 2, 7), taps: 7)
        let head = dense(&maker, norm(&maker, tensor), width, 5 * 601)
        maker.node("Split", [head], as: "lh", also: ["theta", "ln", "lr", "phi"])
        for name in outputs { maker.declare(output: name) }
        return maker.file
    }

    private func encoder(_ maker: inout GraphMaker) -> String {
        let table = maker.random("emb", [vocabulary, width], scale: 1)
        var tensor = maker.node("Gather", [table, inputs[0]])
        tensor = chain(&maker, tensor, taps: 5)
        for _ in 0..<2 { tensor = attention(&maker, tensor) }
        if fault == .cycle { maker.node("Identity", [tensor], as: "loop", also: []) }
        return norm(&maker, tensor)
    }

    private func attention(_ maker: inout GraphMaker, _ input: String) -> String {
        let projected = dense(&maker, norm(&maker, input), width, 3 * width)
        let parts = (0..<3).map { _ in maker.node("Slice", [projected]) }
        let shape = maker.node(
            "Concat", [maker.integers([-1]), maker.integers([1]), maker.integers([1]), maker.integers([Int64(width)])])
        let heads = parts.map { maker.node("Transpose", [maker.node("Reshape", [$0, shape])]) }
        let scores = maker.node("Softmax", [maker.node("MatMul", [heads[0], heads[1]])])
        let values = maker.node("Transpose", [maker.node("MatMul", [scores, heads[2]])])
        let merged = maker.node("Reshape", [values, maker.integers([-1, Int64(width)])])
        let sum = maker.node("Add", [input, dense(&maker, merged, width, width)])
        let inner = gelu(&maker, dense(&maker, norm(&maker, sum), width, width))
        return maker.node("Add", [sum, dense(&maker, inner, width, width)])
    }

    private func chain(_ maker: inout GraphMaker, _ input: String, taps: Int) -> String {
        var tensor = input
        for number in 0..<blocks {
            let dilation = number + 1
            let step = fault == .stride && number == 1 ? 2 : 1
            let inner = maker.node(
                "Conv",
                [
                    maker.node("Transpose", [tensor]),
                    fault == .hugeTensor && number == 1
                        ? maker.initializer("dw", 1, [], [1_000_000_000, 1, taps])
                        : maker.random("dw", [width, 1, taps], scale: 0.5), maker.random("bias", [width], scale: 0.1),
                ],
                [
                    ("group", [width]), ("dilations", [taps == 7 ? dilation : 1]),
                    ("pads", [taps / 2 * (taps == 7 ? dilation : 1), taps / 2 * (taps == 7 ? dilation : 1)]),
                    ("strides", [step]),
                ])
            let normed = norm(&maker, maker.node("Transpose", [inner]))
            let wide = gelu(&maker, dense(&maker, normed, width, width))
            let scaled = maker.node(
                "Mul", [dense(&maker, wide, width, width), maker.random("gamma", [width], scale: 1)])
            tensor = maker.node("Add", [tensor, fault == .cycle && number == 1 ? "loop" : scaled])
        }
        return tensor
    }

    private func norm(_ maker: inout GraphMaker, _ input: String) -> String {
        maker.node(
            "LayerNormalization",
            [
                input, maker.random("norm", [width], scale: 1),
                maker.random("bias", [fault == .otherNorm ? 3 : width], scale: 0.1),
            ])
    }

    private func convolution(
        _ maker: inout GraphMaker, _ input: String, _ outputs: Int, _ inputs: Int, _ taps: Int
    ) -> String {
        let scale: Float = fault == .slow && outputs == 1 ? 0 : 0.2
        let weights = maker.random("conv", [outputs, inputs, taps], scale: scale)
        // The last layer of the prosody net outputs 180 Hz, and durations are about two units.
        let duration: Float = fault == .endless ? 60 : fault == .slow ? 5.886 : 1.1
        let bias = maker.floats(
            "bias", [Float](repeating: outputs == 4 ? 1.8 : outputs == 1 ? duration : 0, count: outputs), [outputs])
        return maker.node("Conv", [input, weights, bias], [("pads", [taps / 2, taps / 2])])
    }

    private func gelu(_ maker: inout GraphMaker, _ input: String) -> String {
        let root = maker.scalar(fault == .otherActivation ? 1.7 : Float(2).squareRoot())
        let raised = maker.node("Add", [maker.node("Erf", [maker.node("Div", [input, root])]), maker.scalar(1)])
        return maker.node("Mul", [maker.node("Mul", [input, raised]), maker.scalar(0.5)])
    }

    private func dense(_ maker: inout GraphMaker, _ input: String, _ inputs: Int, _ outputs: Int) -> String {
        let quantized = maker.fresh("quantized")
        let (scale, zero) = (maker.fresh("scale"), maker.fresh("zero"))
        maker.node("DynamicQuantizeLinear", [input], as: quantized, also: [scale, zero])
        let count = hasScaleOfEachOutput ? outputs : 1
        let shape = hasScaleOfEachOutput ? [outputs] : []
        let step: Float = fault == .notANumber ? .nan : 0.01
        let weights = maker.bytes("weights", [inputs, outputs])
        let steps = maker.floats("steps", (0..<count).map { step * (1 + Float($0 % 7)) }, shape)
        let place = maker.initializer("place", 3, [UInt8](repeating: fault == .zeroPoint ? 1 : 0, count: count), shape)
        let product = maker.node("Cast", [maker.node("MatMulInteger", [quantized, weights, zero, place])])
        let scaled = maker.node("Mul", [product, maker.node("Mul", [scale, steps])])
        // The spectral parts are logarithms. At this level, the voice is as loud as speech.
        let level: Float = outputs == 5 * 601 ? -5 : 0
        let bias = maker.floats("bias", [Float](repeating: level, count: outputs), [outputs])
        return maker.node("Add", [scaled, bias])
    }
}
