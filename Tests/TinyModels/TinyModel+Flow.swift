import SynthInference

extension TinyModel {
    /// Adds a two-step flow, with the operations that exporters write for Piper's flow.
    ///
    /// - Parameters:
    ///   - input: [1, channels, frames].
    ///   - mask: [1, 1, frames].
    ///   - speaker: [1, channels, 1].
    package mutating func flow(_ input: String, mask: String, channels: Int, speaker: String?) -> String {
        var value = input
        for _ in 0..<2 {
            value = add("Slice", [value, constant([-1]), constant([Int64.min + 1]), constant([1]), constant([-1])])
            value = step(value, mask, channels, speaker)
        }
        return add("Mul", [value, mask])
    }

    private mutating func step(_ input: String, _ mask: String, _ channels: Int, _ speaker: String?) -> String {
        let half = channels / 2
        let (first, second) = split(input, half)
        var hidden = add("Mul", [convolution(first, from: half, to: channels, taps: 1), mask])
        var sum = zeros(like: hidden)
        for layer in 0..<2 {
            var inner = convolution(hidden, from: channels, to: 2 * channels, taps: 5, dilation: 1 + 2 * layer)
            let condition = speaker.map { convolution($0, from: channels, to: 2 * channels, taps: 1) }
            inner = add("Add", [inner, condition ?? zeros(like: inner)])
            let (tanh, sigmoid) = split(inner, channels)
            let gated = add("Mul", [add("Tanh", [tanh]), add("Sigmoid", [sigmoid])])
            let (rest, skip) = split(convolution(gated, from: channels, to: 2 * channels, taps: 1), channels)
            hidden = add("Mul", [add("Add", [hidden, rest]), mask])
            sum = add("Add", [sum, skip])
        }
        let mean = add("Mul", [convolution(add("Mul", [sum, mask]), from: channels, to: half, taps: 1), mask])
        let scale = add("Exp", [add("Neg", [zeros(like: mean)])])
        let moved = add("Mul", [add("Mul", [add("Sub", [second, mean]), scale]), mask])
        return add("Concat", [first, moved], ["axis": .integer(1)])
    }

    private mutating func split(_ input: String, _ channels: Int) -> (String, String) {
        let names = ("first-\(nodes.count)", "second-\(nodes.count)")
        nodes.append(
            GraphNode(
                "Split", inputs: [input, constant([Int64(channels), Int64(channels)])], outputs: [names.0, names.1],
                attributes: [GraphAttribute("axis", .integer(1))]))
        return names
    }

    private mutating func zeros(like input: String) -> String {
        add("ConstantOfShape", [add("Shape", [input])])
    }
}
