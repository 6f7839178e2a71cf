import SynthGraphs
import SynthONNXRuntime

/// Replaces convolutions and transposed convolutions over time with a custom operator that works on blocks of channels
/// and needs about half as many multiplications as the original operations. The samples differ from those of the
/// original model only by rounding. The rewritten model has a batch size of 1.
struct BlockedConvolutions: CustomStringConvertible {
    /// The maximum number of channels. The new weights need about twice as much memory as the original ones, or up to
    /// four times as much for upsampling. Convolutions with more channels have few time steps, so replacing them would
    /// take a lot of memory and save little time.
    private static let maximumChannels = 384
    /// The maximum number of channels if the weights are integers, which need no more memory than the published
    /// weights.
    private static let maximumIntegerChannels = 1 << 11
    /// The supported numbers of taps. With fewer taps, ONNX Runtime is as fast as this operator; more taps are
    /// untested.
    private static let taps = 3...64

    private let blocks: Blocks
    private var convolutions = 0
    private var upsamplings = 0

    /// Replaces all supported convolutions. Throws if there are none.
    static func apply(
        to editor: inout GraphEditor, block: Int, hasIntegers: Bool = false
    ) throws -> BlockedConvolutions {
        let blocks = Blocks(size: block, hasIntegers: hasIntegers)
        let delicate = editor.delicateNodes
        var found = BlockedConvolutions(blocks: blocks)
        var nodes = try BlockedNodes(editor, blocks)
        var replaced: Set<Int> = []
        for (number, node) in editor.graph.nodes.enumerated()
        where ["Conv", "ConvTranspose"].contains(node.operation) && node.domain.isEmpty && !delicate.contains(number) {
            guard let convolution = try? Convolution(node, in: editor), fits(convolution, block) else { continue }
            let isPlain = node.operation == "Conv"
            guard !isPlain || isWorthIt(convolution, blocks),
                let plain = isPlain ? convolution : try? convolution.phases(block: block),
                (try? ToomCookWeights.check(plain)) != nil
            else { continue }
            let input = nodes.blocked(node.inputs[0], channels: convolution.inputChannels)
            let output = try nodes.convolve(input, plain, phases: isPlain ? 1 : convolution.stride)
            nodes.plain(output, channels: convolution.outputChannels, as: node.outputs[0])
            if isPlain { found.convolutions += 1 } else { found.upsamplings += 1 }
            replaced.insert(number)
        }
        guard !replaced.isEmpty else { throw InferenceError.refused("no Conv node fits blocks of \(block) channels") }
        try nodes.replace(replaced)
        editor = nodes.editor
        return found
    }

    private init(blocks: Blocks) {
        self.blocks = blocks
    }

    var description: String {
        let counts = [(convolutions, "convolution"), (upsamplings, "upsampling")]
        let said = counts.compactMap { $0 > 0 ? "\($0) \($1)\($0 == 1 ? "" : "s")" : nil }
        return "\(said.joined(separator: " and ")) in \(blocks)"
    }

    private static func isWorthIt(_ convolution: Convolution, _ blocks: Blocks) -> Bool {
        convolution.keepsLength && taps.contains(convolution.taps)
            && max(convolution.inputChannels, convolution.outputChannels)
                <= (blocks.hasIntegers ? maximumIntegerChannels : maximumChannels)
    }

    private static func fits(_ convolution: Convolution, _ block: Int) -> Bool {
        [convolution.inputChannels, convolution.outputChannels].allSatisfy { $0.isMultiple(of: block) }
    }
}
