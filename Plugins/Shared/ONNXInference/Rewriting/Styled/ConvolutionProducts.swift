/// Replaces convolutions by ones that need about half of the multiplications, on blocks of channels.
///
/// A filter is cut into interleaved parts of `L` taps. For each of the products of `ToomCookMatrices` there is one
/// combination of input samples, one of taps, and one convolution of the two with a tap for each part; a matrix product
/// then gives `L` output samples. Samples differ by rounding only. The model then takes one text at a time.
struct ConvolutionProducts {
    /// The new weights need 7 / 4 of the memory of the old ones, or more. Convolutions with more channels stand where
    /// time has few samples, and would cost much memory to save little time.
    private static let mostChannels = 256
    /// Shorter ones need twice the memory, and hardly less time.
    private static let taps = 4...64

    private let matrices = ToomCookMatrices.standard
    private var nodes: BlockedNodes
    private var inputWeights: [[Int]: String] = [:]
    private var outputWeights: [Range<Int>: String] = [:]

    /// Returns how many were replaced, at least 1. Others stay as they are. Throws if there is none.
    static func apply(to editor: inout GraphEditor, block: Int) throws(RewriteRefusal) -> Int {
        let delicate = editor.delicateNodes
        var rewrite = ConvolutionProducts(nodes: try BlockedNodes(editor, block: block))
        var replaced: Set<Int> = []
        for (number, node) in editor.graph.nodes.enumerated()
        where node.operation == "Conv" && node.domain.isEmpty && !delicate.contains(number) {
            guard let convolution = try? Convolution(node, in: editor), fits(convolution, block) else { continue }
            rewrite.add(convolution, of: node.inputs[0], as: node.outputs[0])
            replaced.insert(number)
        }
        guard !replaced.isEmpty else { throw RewriteRefusal("there is no Conv that fits blocks of \(block)") }
        try rewrite.nodes.replace(replaced)
        editor = rewrite.nodes.editor
        return replaced.count
    }

    private init(nodes: BlockedNodes) {
        self.nodes = nodes
    }

    private static func fits(_ convolution: Convolution, _ block: Int) -> Bool {
        // With an odd dilation the parts of a filter reach every sample once.
        convolution.keepsLength && !convolution.dilation.isMultiple(of: 2) && taps.contains(convolution.taps)
            && [convolution.inputChannels, convolution.outputChannels].allSatisfy {
                $0 <= mostChannels && $0.isMultiple(of: block)
            }
    }

    private mutating func add(_ convolution: Convolution, of input: String, as output: String) {
        let (length, dilation) = (matrices.size, convolution.dilation)
        let parts = (convolution.taps + length - 1) / length
        // Sample `p` of a result stands at `L n + d p`: in the place `phase[p]` of the group `n + shift[p]`.
        let shifts = (0..<length).map { dilation * $0 / length }
        let phases = (0..<length).map { dilation * $0 % length }
        let reach = shifts[length - 1]

        let blocked = nodes.blocked(input, channels: convolution.inputChannels)
        var samples: String?
        // Half of the products at a time, because combinations and products are larger than the input and the output.
        let half = (matrices.products + 1) / 2
        for share in [0..<half, half..<matrices.products] {
            let combined = combine(blocked, convolution, share, parts, reach)
            let weights = nodes.constant(
                self.weights(convolution, share, parts),
                shape: [share.count * convolution.outputChannels, convolution.inputChannels, 1, parts])
            let bias = bias(convolution, share)
            let multiplied = nodes.convolve(
                combined, weights: weights, bias: bias.map { nodes.constant($0, shape: [$0.count]) },
                BlockedNodes.Steps(taps: parts, dilation: dilation, groups: share.count))
            let flat = nodes.reshape(multiplied, [Int64(share.count), -1])
            let matrix = outputMatrix(share)
            samples = samples.map { nodes.add("Gemm", [matrix, flat, $0]) } ?? nodes.add("MatMul", [matrix, flat])
        }
        guard let samples else { return }
        let ordered = order(samples, channels: convolution.outputChannels, phases, shifts)
        nodes.plain(
            nodes.reshape(ordered, [1, Int64(convolution.outputChannels), 1, -1]),
            channels: convolution.outputChannels, asLongAs: input, as: output)
    }

    /// The bias belongs to one of the products; `nil` if that has no share in these.
    private func bias(_ convolution: Convolution, _ products: Range<Int>) -> [Float]? {
        guard products.contains(matrices.plainProduct) else { return nil }
        var bias = [Float](repeating: 0, count: products.count * convolution.outputChannels)
        let start = (matrices.plainProduct - products.lowerBound) * convolution.outputChannels
        bias.replaceSubrange(start..<start + convolution.outputChannels, with: convolution.bias)
        return bias
    }

    /// One combination of input samples for each product, one after the other as channels.
    private mutating func combine(
        _ input: String, _ convolution: Convolution, _ products: Range<Int>, _ parts: Int, _ reach: Int
    ) -> String {
        let (length, dilation) = (matrices.size, convolution.dilation)
        let before = convolution.padding.before + length * reach
        // As long as the last sample of the longest part needs.
        let after = dilation * (length * (parts - 1) + matrices.products - 1) - convolution.padding.before
        let steps = BlockedNodes.Steps(
            taps: matrices.products, stride: length, dilation: dilation, padding: (before, after),
            groups: convolution.inputChannels)
        let all = products.map { product in
            nodes.convolve(input, weights: inputMatrix(product, channels: convolution.inputChannels), steps)
        }
        return nodes.add("Concat", all, [GraphAttribute("axis", .integer(1))])
    }

    /// Brings the samples of a group into their places. Only blocks of channels move.
    private mutating func order(_ samples: String, channels: Int, _ phases: [Int], _ shifts: [Int]) -> String {
        let (block, length) = (Int64(nodes.block), Int64(matrices.size))
        let blocks = Int64(channels) / block
        let split = nodes.reshape(samples, [length, blocks, -1, block])
        guard shifts.contains(where: { $0 > 0 }) else {
            return nodes.add("Transpose", [split], [GraphAttribute("perm", .integers([1, 2, 0, 3]))])
        }
        let reach = shifts[shifts.count - 1]
        var places = [String](repeating: "", count: phases.count)
        for (sample, shift) in shifts.enumerated() {
            let end = shift > 0 ? Int64(-shift) : Int64.max
            let part = nodes.add(
                "Slice",
                [
                    split, nodes.vector([Int64(sample), Int64(reach - shift)]), nodes.vector([Int64(sample) + 1, end]),
                    nodes.vector([0, 2]),
                ])
            places[phases[sample]] = nodes.reshape(part, [blocks, -1, 1, block])
        }
        return nodes.add("Concat", places, [GraphAttribute("axis", .integer(2))])
    }

    /// The weights of a convolution in groups, one for each product.
    private func weights(_ convolution: Convolution, _ products: Range<Int>, _ parts: Int) -> [Float] {
        let (length, taps) = (matrices.size, convolution.taps)
        let rows = convolution.outputChannels * convolution.inputChannels
        var result: [Float] = []
        result.reserveCapacity(products.count * rows * parts)
        for product in products {
            let factors = matrices.filter[product]
            let combined = convolution.weights.withUnsafeBufferPointer { weights in
                [Float](unsafeUninitializedCapacity: rows * parts) { buffer, count in
                    for row in 0..<rows {
                        for part in 0..<parts {
                            let first = part * length
                            var sum = 0.0
                            for tap in first..<min(first + length, taps) {
                                sum += factors[tap - first] * Double(weights[row * taps + tap])
                            }
                            buffer.initializeElement(at: count, to: Float(sum))
                            count += 1
                        }
                    }
                }
            }
            result += Convolution.blocked(
                combined, outputs: convolution.outputChannels, inputs: convolution.inputChannels, taps: parts,
                nodes.block)
        }
        return result
    }

    /// The same combination of samples for each channel.
    private mutating func inputMatrix(_ product: Int, channels: Int) -> String {
        if let name = inputWeights[[product, channels]] { return name }
        let block = nodes.block
        let taps = matrices.input[product].flatMap { [Float](repeating: Float($0), count: block) }
        let name = nodes.constant(
            (0..<channels / block).flatMap { _ in taps }, shape: [channels, 1, 1, matrices.products])
        inputWeights[[product, channels]] = name
        return name
    }

    private mutating func outputMatrix(_ products: Range<Int>) -> String {
        if let name = outputWeights[products] { return name }
        let name = nodes.constant(
            matrices.output.flatMap { $0[products].map(Float.init) }, shape: [matrices.size, products.count])
        outputWeights[products] = name
        return name
    }
}
