/// Computes a norm and the activation `x + sin(a x)² / a` (Snake) that stands between it and a convolution in one pass over
/// all samples, with an operator of our own.
///
/// With `y = a x` it is `(y + sin(y)²) / a`. The norm's scale and bias take the factor `a`, and the convolution's weights
/// the divisor, both for each channel. Samples differ by rounding only.
enum FoldedSines {
    /// Returns how many activations were changed, at least 1. Others stay as they are. Throws if there is none.
    static func apply(to editor: inout GraphEditor) throws(RewriteRefusal) -> Int {
        let delicate = editor.delicateNodes
        var changed = editor
        var removed: Set<Int> = []
        var count = 0
        for number in editor.graph.nodes.indices where !delicate.contains(number) {
            guard let sine = NormedSine(number, in: editor) else { continue }
            var (scale, bias) = (sine.norm.inputs[1], sine.norm.inputs[2])
            var weights = sine.convolution.inputs[1]
            if sine.factors.contains(where: { $0 != 1 }) {
                let factors = changed.constant(sine.factors, shape: [sine.factors.count])
                scale = changed.add("Mul", [scale, factors])
                bias = changed.add("Mul", [bias, factors])
                weights = changed.constant(sine.dividedWeights, shape: sine.weightShape)
            }
            let sum = changed.add(
                NormSine.name.description, domain: KernelDomain.name, [sine.norm.inputs[0], scale, bias],
                NormSine.attributes(epsilon: sine.epsilon))
            _ = changed.add(
                "Conv", [sum, weights] + sine.convolution.inputs.dropFirst(2), as: sine.convolution.outputs[0],
                sine.convolution.attributes)
            removed.formUnion(sine.nodes)
            count += 1
        }
        guard count > 0 else { throw RewriteRefusal("no norm is followed by a sine and a convolution") }
        try changed.replace(removed)
        editor = changed
        return count
    }
}
