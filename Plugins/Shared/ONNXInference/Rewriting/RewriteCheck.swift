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

    /// The same sound, made in parts.
    func samplesInParts(_ session: InferenceSession) throws(InferenceError) -> [Float] {
        let sound = try session.runHead(inputs, outputs: [], as: try InferenceRun()).sound
        var plan = SoundPlan(sound, sampleRate: 1)
        var samples: [Float] = []
        while let part = plan.next() { samples += try sound.samples(of: part, as: try InferenceRun()) }
        return samples
    }

    /// The largest difference between the sounds of two models, however the second can make its sound.
    func difference(
        _ expected: InferenceSession, _ other: InferenceSession
    ) throws(InferenceError) -> Float {
        let samples = try samples(expected)
        let whole = Self.difference(samples, try self.samples(other))
        return other.runsInParts ? max(whole, Self.difference(samples, try samplesInParts(other))) : whole
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
