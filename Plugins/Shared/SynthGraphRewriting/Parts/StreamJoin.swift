package import CSynthONNXRuntime
package import SynthGraphs
package import SynthONNXRuntime

/// A custom operator between stages of a part that runs on consecutive time ranges. It joins the time steps kept from
/// the previous run with the new ones and keeps the last time steps for the next run.
///
/// The operator has three inputs:
///
/// * `x`, whose last axis is time
/// * the kept time steps, with the same shape as `x` except for time; or an empty tensor
/// * four integers: the start and end of the new time steps in `x`, the first joined time step to keep, and the number
///   of time steps in `x`
///
/// The outputs are the joined and the kept time steps. If `x` has fewer axes than expected, or one time step where more
/// are expected, it is constant over time and passes through unchanged. With the attribute `block`, channels are in
/// blocks of that size, as in `BlockedConvolution`.
package final class StreamJoin: CustomKernel {
    package static let name: StaticString = "StreamJoin"
    static let block = "block"
    private static let inputCount = 3
    private static let outputCount = 2
    private static let placesInput = 2
    private static let ranks = 3...4
    private static let maximumBlockSize = 64

    package let api: OrtApi
    private let block: Int

    package init(_ attributes: KernelAttributes) throws(InferenceError) {
        api = attributes.api
        block = try attributes.integer(Self.block)
        guard (1...Self.maximumBlockSize).contains(block) else {
            throw InferenceError(.model, "a StreamJoin has unknown attributes")
        }
    }

    /// Returns the attributes of a node with this operator.
    ///
    /// - Parameter block: The number of channels per block; 1 if channels are not in blocks.
    static func attributes(block: Int) -> [GraphAttribute] { [GraphAttribute(Self.block, .integer(Int64(block)))] }

    /// The tensors that a node with this operator exchanges with other runs.
    struct Ends {
        /// The inputs after the first one.
        let inputs: [String]
        /// The output for the kept time steps.
        let kept: String

        /// Returns `nil` for nodes with other operators.
        init?(_ node: GraphNode) {
            guard node.operation == StreamJoin.name.description, node.domain == GraphNode.ownDomain,
                node.inputs.count == StreamJoin.inputCount, node.outputs.count == StreamJoin.outputCount
            else { return nil }
            inputs = Array(node.inputs.dropFirst())
            kept = node.outputs[1]
        }
    }

    package static var description: OrtCustomOp {
        var description = OrtCustomOp.ofFloats
        description.GetName = { _ in StreamJoin.operatorName }
        description.GetInputTypeCount = { _ in StreamJoin.inputCount }
        description.GetInputType = { _, number in
            number == StreamJoin.placesInput
                ? ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT
        }
        description.GetOutputTypeCount = { _ in StreamJoin.outputCount }
        description.CreateKernelV2 = { StreamJoin.create($1, $2, $3) }
        description.KernelComputeV2 = { StreamJoin.compute($0, $1) }
        return description
    }

    package func compute(_ run: KernelRun) throws(InferenceError) {
        let (input, kept) = (try run.input(0), try run.input(1))
        guard let join = Join(input.shape, kept.shape, try run.integers(Self.placesInput), block: block) else {
            throw InferenceError(.run, "the input shapes of StreamJoin do not match")
        }
        func shape(_ moments: Int) -> [Int64] { input.shape.dropLast() + [Int64(moments)] }
        let joined = try run.output(join.isWhole ? input.shape : shape(join.length))
        let keeping = try run.output(join.isWhole ? [0] : shape(join.keeping.count), number: 1)
        if let joined { join.copy(input.numbers, kept.numbers, to: joined, moments: 0..<join.length) }
        if let keeping { join.copy(input.numbers, kept.numbers, to: keeping, moments: join.keeping) }
    }

    /// The ranges of time steps to copy.
    private struct Join {
        let rows: Int
        /// The number of values per row and time step.
        let width: Int
        /// The number of time steps in `x`.
        let count: Int
        /// The number of kept time steps in the input.
        let earlier: Int
        /// The range of new time steps in `x`.
        let new: Range<Int>
        /// The range of joined time steps to keep.
        let keeping: Range<Int>
        /// Whether `x` is constant over time.
        let isWhole: Bool

        var length: Int { earlier + new.count }

        init?(_ input: [Int64], _ kept: [Int64], _ places: [Int64], block: Int) {
            let shape = input.compactMap { Int(exactly: $0) }
            let numbers = places.compactMap { Int(exactly: $0) }
            guard shape.count == input.count, numbers.count == 4 else { return nil }
            if !StreamJoin.ranks.contains(shape.count) || shape.last == 1 && numbers[3] != 1 {
                (rows, width, count) = (1, shape.reduce(1, *), 1)
                (earlier, new, keeping, isWhole) = (0, 0..<1, 1..<1, true)
                return
            }
            let channels = shape.dropLast().reduce(1, *)
            guard let count = shape.last, count > 0, channels.isMultiple(of: block) else { return nil }
            (rows, width, self.count, isWhole) = (channels / block, block, count, false)
            let earlier = kept.contains(0) ? 0 : Int(clamping: kept.last ?? 0)
            guard earlier == 0 || kept.dropLast() == input.dropLast(), numbers[3] == count, numbers[0] >= 0,
                numbers[0] <= numbers[1], numbers[1] <= count
            else { return nil }
            let length = earlier + numbers[1] - numbers[0]
            guard (0...length).contains(numbers[2]) else { return nil }
            (self.earlier, new, keeping) = (earlier, numbers[0]..<numbers[1], numbers[2]..<length)
        }

        /// Copies a range of the joined time steps.
        func copy(
            _ input: UnsafePointer<Float>?, _ kept: UnsafePointer<Float>?, to output: UnsafeMutablePointer<Float>,
            moments: Range<Int>
        ) {
            let old = moments.clamped(to: 0..<earlier)
            let fresh = moments.clamped(to: earlier..<length)
            for row in 0..<rows {
                let position = output + row * moments.count * width
                if let kept, !old.isEmpty {
                    position.update(from: kept + (row * earlier + old.lowerBound) * width, count: old.count * width)
                }
                if let input, !fresh.isEmpty {
                    let start = fresh.lowerBound - earlier + new.lowerBound
                    (position + old.count * width).update(
                        from: input + (row * count + start) * width, count: fresh.count * width)
                }
            }
        }
    }
}
