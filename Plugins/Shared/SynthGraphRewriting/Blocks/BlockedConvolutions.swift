import SynthGraphs
import SynthONNXRuntime

/// Replaces convolutions over time and transposed ones by an operator of our own that needs about half of the
/// multiplications, on blocks of channels. Samples differ by rounding only. The model then takes one text at a time.
struct BlockedConvolutions: CustomStringConvertible {
    /// The new weights need about twice the memory of the old ones, those of an upsampling up to four times. Convolutions
    /// with more channels stand where time has few samples, and would cost much memory to save little time.
    private static let mostChannels = 384
    /// Whole numbers need no more memory than the published ones.
    private static let mostIntegerChannels = 1 << 11
    /// With fewer taps the library is as fast; more have not been tried.
    private static let taps = 3...64

    private let blocks: Blocks
    private var convolutions = 0
    private var upsamplings = 0

    /// Others stay as they are. Throws if there is none.
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
        guard !replaced.isEmpty else { throw InferenceError.refused("there is no Conv that fits blocks of \(block)") }
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
                <= (blocks.hasIntegers ? mostIntegerChannels : mostChannels)
    }

    private static func fits(_ convolution: Convolution, _ block: Int) -> Bool {
        [convolution.inputChannels, convolution.outputChannels].allSatisfy { $0.isMultiple(of: block) }
    }
}
