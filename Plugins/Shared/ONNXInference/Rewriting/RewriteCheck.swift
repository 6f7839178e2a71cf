/// One run with which a rewritten model is compared with the original one.
public struct RewriteCheck: Sendable {
    /// Of full scale, which is 1. A step of 16-bit sound is a third of it.
    static let tolerance: Float = 1e-4

    let inputs: [(name: String, tensor: InferenceTensor)]
    let output: String
    let isNoiseless: Bool

    /// - Parameters:
    ///   - inputs: A short text. It gives the same samples each time, except for noise that the model makes with ONNX's
    ///     operators for it: that is fixed for the comparison.
    ///   - output: The output that holds the samples.
    ///   - isNoiseless: Whether the inputs say that there is to be no noise, so that none has to be fixed, which takes other
    ///     sessions.
    public init(_ inputs: [(name: String, tensor: InferenceTensor)], output: String, isNoiseless: Bool = false) {
        self.inputs = inputs
        self.output = output
        self.isNoiseless = isNoiseless
    }

    func samples(_ session: InferenceSession) throws -> [Float] {
        let outputs = try session.run(inputs, outputs: [output], as: try InferenceRun())
        guard let samples = outputs[0].withFloats({ Array($0) }) else {
            throw RewriteRefusal("its samples are no float32")
        }
        return samples
    }

    /// The largest difference from what was expected, however the session can make its sound.
    func difference(_ expected: [Float], _ session: InferenceSession) throws -> Float {
        guard session.runsInParts else { return Self.difference(expected, try samples(session)) }
        // Both from one run of the first half: noise that it makes is another one in each run.
        let sound = try session.runHead(inputs, outputs: [], as: try InferenceRun()).sound
        let whole = try sound.samples(of: 0..<sound.frameCount, as: try InferenceRun())
        return max(Self.difference(expected, whole), Self.difference(expected, try Self.parts(of: sound)))
    }

    /// A sound, made in parts.
    static func parts(of sound: SoundInParts) throws(InferenceError) -> [Float] {
        var plan = SoundPlan(sound, sampleRate: 1, isAwaited: true)
        var samples: [Float] = []
        while let part = plan.next() { samples += try sound.samples(of: part, as: try InferenceRun()) }
        return samples
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
