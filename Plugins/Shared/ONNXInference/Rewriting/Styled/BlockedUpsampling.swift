/// Replaces transposed convolutions by plain ones on blocks of channels, whose phases are whole blocks. See
/// `PhasedUpsampling` for why that is faster. Samples differ by rounding only.
enum BlockedUpsampling {
    /// Returns how many were replaced, at least 1. Others stay as they are. Throws if there is none.
    static func apply(to editor: inout GraphEditor, block: Int) throws(RewriteRefusal) -> Int {
        let delicate = editor.delicateNodes
        var nodes = try BlockedNodes(editor, block: block)
        var replaced: Set<Int> = []
        for (number, node) in editor.graph.nodes.enumerated()
        where node.operation == "ConvTranspose" && node.domain.isEmpty && !delicate.contains(number) {
            guard let original = try? Convolution(node, in: editor), original.inputChannels.isMultiple(of: block),
                original.outputChannels.isMultiple(of: block), let phases = try? original.phases(block: block)
            else { continue }
            let weights = nodes.constant(
                phases.blockedWeights(block), shape: [phases.outputChannels, phases.inputChannels, 1, phases.taps])
            let computed = nodes.convolve(
                nodes.blocked(node.inputs[0], channels: original.inputChannels), weights: weights,
                bias: nodes.constant(phases.bias, shape: [phases.outputChannels]),
                BlockedNodes.Steps(taps: phases.taps, padding: phases.padding))
            let channels = Int64(original.outputChannels)
            // Blocks of channels, phases, time, channels of a block.
            let split = nodes.reshape(
                computed, [channels / Int64(block), Int64(original.stride), -1, Int64(block)])
            let turned = nodes.add("Transpose", [split], [GraphAttribute("perm", .integers([0, 2, 1, 3]))])
            nodes.plain(
                nodes.reshape(turned, [1, channels, 1, -1]), channels: original.outputChannels, as: node.outputs[0])
            replaced.insert(number)
        }
        guard !replaced.isEmpty else { throw RewriteRefusal("there is no ConvTranspose that fits blocks of \(block)") }
        try nodes.replace(replaced)
        editor = nodes.editor
        return replaced.count
    }
}
