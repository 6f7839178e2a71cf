package import CSynthONNXRuntime
import CSynthVectorKernels
package import SynthGraphs
import SynthONNXRuntime

/// A custom operator that computes `y + sin(y)²` for `y = norm(x)`, which is InstanceNormalization and the activation
/// after it, in one pass on all of the session's threads. ONNX Runtime itself computes sines on a single thread.
///
/// Its inputs are `x` of shape [1, channels, time], and scale and bias of shape [channels]; the output has the same shape as
/// `x`.
package final class NormSine {
    static let name: StaticString = "NormSine"
    static let epsilon = "epsilon"
    private static let inputCount = 3

    private let api: OrtApi
    private let epsilon: Float

    private init(_ api: OrtApi, epsilon: Float) {
        self.api = api
        self.epsilon = epsilon
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
        description.GetName = { _ in UnsafeRawPointer(NormSine.name.utf8Start).assumingMemoryBound(to: CChar.self) }
        description.GetInputTypeCount = { _ in NormSine.inputCount }
        description.CreateKernelV2 = { _, api, info, kernel in
            guard let api, let info, let kernel else { return nil }
            do throws(InferenceError) {
                let epsilon = try KernelAttributes(api.pointee, info).float(NormSine.epsilon)
                kernel.pointee = Unmanaged.passRetained(NormSine(api.pointee, epsilon: epsilon)).toOpaque()
                return nil
            } catch {
                return error.status(api.pointee)
            }
        }
        description.KernelComputeV2 = { kernel, context in
            guard let kernel, let context else { return nil }
            let sine = Unmanaged<NormSine>.fromOpaque(kernel).takeUnretainedValue()
            return sine.compute(KernelRun(sine.api, context))
        }
        return description
    }

    /// Computes the output. Several threads may call this concurrently.
    ///
    /// - Returns: An error, or `nil` on success.
    private func compute(_ run: KernelRun) -> OpaquePointer? {
        do throws(InferenceError) {
            let (input, scale, bias) = (try run.input(0), try run.input(1), try run.input(2))
            guard input.shape.count == 3, input.shape[0] == 1, scale.shape == [input.shape[1]],
                bias.shape == scale.shape,
                let channels = Int(exactly: input.shape[1]), let count = Int(exactly: input.shape[2])
            else { throw InferenceError(.run, "the shapes of the inputs of NormSine do not match") }
            guard let output = try run.output(input.shape), let samples = input.numbers, let scales = scale.numbers,
                let biases = bias.numbers
            else { return nil }
            let work = Work(
                input: samples, output: output, count: count, epsilon: epsilon, scale: scales, bias: biases)
            try run.onThreads(channels, work) { NormSine.compute($0, channel: $1) }
            return nil
        } catch {
            return error.status(api)
        }
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
