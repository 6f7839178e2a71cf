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
                original.outputChannels.isMultiple(of: block), (try? original.phaseReach()) != nil
            else { continue }
            let input = nodes.blocked(node.inputs[0], channels: original.inputChannels)
            let computed = try nodes.upsample(input, original)
            nodes.plain(computed, channels: original.outputChannels, as: node.outputs[0])
            replaced.insert(number)
        }
        guard !replaced.isEmpty else { throw RewriteRefusal("there is no ConvTranspose that fits blocks of \(block)") }
        try nodes.replace(replaced)
        editor = nodes.editor
        return replaced.count
    }
}
