package import CSynthONNXRuntime
import CSynthVectorKernels
package import SynthGraphs
package import SynthONNXRuntime

/// A custom operator that computes `y + sin(y)²` for `y = norm(x)`, which is InstanceNormalization and the activation
/// after it, in one pass on all of the session's threads. ONNX Runtime itself computes sines on a single thread.
///
/// The operator's inputs are `x` of shape [1, channels, time], and scale and bias of shape [channels]. The output has
/// the same shape as `x`.
package final class NormSine: CustomKernel {
    package static let name: StaticString = "NormSine"
    static let epsilon = "epsilon"
    private static let inputCount = 3

    package let api: OrtApi
    private let epsilon: Float

    package init(_ attributes: KernelAttributes) throws(InferenceError) {
        api = attributes.api
        epsilon = try attributes.float(Self.epsilon)
    }

    /// Creates a node with this operator.
    ///
    /// - Parameter inputs: The names of `x`, the scale and the bias.
    package static func node(_ inputs: [String], _ output: String, epsilon: Float = 1e-5) -> GraphNode {
        GraphNode(
            name.description, domain: GraphNode.ownDomain, inputs: inputs, outputs: [output],
            attributes: attributes(epsilon: epsilon))
    }

    /// Returns the attributes of a node with this operator.
    static func attributes(epsilon: Float) -> [GraphAttribute] { [GraphAttribute(Self.epsilon, .float(epsilon))] }

    package static var description: OrtCustomOp {
        var description = OrtCustomOp.ofFloats
        description.GetName = { _ in NormSine.operatorName }
        description.GetInputTypeCount = { _ in NormSine.inputCount }
        description.CreateKernelV2 = { NormSine.create($1, $2, $3) }
        description.KernelComputeV2 = { NormSine.compute($0, $1) }
        return description
    }

    package func compute(_ run: KernelRun) throws(InferenceError) {
        let (input, scale, bias) = (try run.input(0), try run.input(1), try run.input(2))
        guard input.shape.count == 3, input.shape[0] == 1, scale.shape == [input.shape[1]],
            bias.shape == scale.shape,
            let channels = Int(exactly: input.shape[1]), let count = Int(exactly: input.shape[2])
        else { throw InferenceError(.run, "the input shapes of NormSine do not match") }
        guard let output = try run.output(input.shape), let samples = input.numbers, let scales = scale.numbers,
            let biases = bias.numbers
        else { return }
        let work = Work(
            input: samples, output: output, count: count, epsilon: epsilon, scale: scales, bias: biases)
        try run.onThreads(channels, work) { NormSine.compute($0, channel: $1) }
    }

    private struct Work {
        let input: UnsafePointer<Float>
        let output: UnsafeMutablePointer<Float>
        let count: Int
        let epsilon: Float
        let scale: UnsafePointer<Float>
        let bias: UnsafePointer<Float>
    }

    private static func compute(_ work: UnsafeMutableRawPointer?, channel: Int) {
        guard let work = work?.assumingMemoryBound(to: Work.self).pointee else { return }
        let start = channel * work.count
        vector_norm_sine(
            work.input + start, work.output + start, work.count, work.epsilon, work.scale[channel],
            work.bias[channel])
    }
}
