/// One run with which a rewritten model is compared with the original one.
public struct RewriteCheck: Sendable {
    /// Of full scale, which is 1. A step of 16-bit sound is a third of it.
    static let tolerance: Float = 1e-4

    let inputs: [(name: String, tensor: InferenceTensor)]
    let output: String

    /// - Parameters:
    ///   - inputs: A short text. It gives the same samples each time, so it must be without noise.
    ///   - output: The output that holds the samples.
    public init(_ inputs: [(name: String, tensor: InferenceTensor)], output: String) {
        self.inputs = inputs
        self.output = output
    }

    func samples(_ session: InferenceSession) throws(InferenceError) -> [Float] {
        let outputs = try session.run(inputs, outputs: [output], as: try InferenceRun())
        return outputs[0].withFloats { Array($0) } ?? []
    }

    /// The largest difference; infinite if the sounds are not equally long, are empty or have samples that are no numbers.
    static func difference(_ first: [Float], _ second: [Float]) -> Float {
        guard first.count == second.count, !first.isEmpty else { return .infinity }
        return zip(first, second).reduce(0) {
            let difference = ($1.0 - $1.1).magnitude
            return difference.isFinite ? max($0, difference) : .infinity
        }
    }
}
