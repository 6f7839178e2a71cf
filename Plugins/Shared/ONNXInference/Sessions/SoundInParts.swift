import GraphRewriting
public import ONNXGraphs

/// A sound of which everything but the samples is computed. They can be computed for any part of the time.
public final class SoundInParts: Sendable {
    /// Samples of sound for each frame.
    public let samplesPerFrame: Int
    public let frameCount: Int
    /// How many frames on both sides are computed with those that are asked for.
    let overlap: Int

    /// The model's last part.
    private let vocoder: InferenceTail
    private let seam: Seam
    /// What the vocoder reads if it is not the seam.
    private let growing: GrowingSeam?

    /// - Parameter seam: What the model's first part returned.
    init(_ tail: InferenceTail, _ seam: [InferenceOutput]) throws(InferenceError) {
        samplesPerFrame = tail.cut.hop
        overlap = tail.cut.overlap
        let seam = try Seam(tail.cut.seam, seam)
        self.seam = seam
        frameCount = seam.frameCount
        vocoder = tail.session.tail ?? tail
        growing = tail.session.tail.map {
            GrowingSeam(seam, tail.session, $0.cut.seam, overlap: tail.cut.overlap - $0.cut.overlap)
        }
    }

    public var sampleCount: Int { frameCount * samplesPerFrame }

    /// The samples of these frames. They are those of a run of the whole, but for rounding. One thread at a time may ask.
    ///
    /// - Parameter frames: Within `0..<frameCount`.
    public func samples(of frames: Range<Int>, as run: InferenceRun) throws(InferenceError) -> [Float] {
        let frames = frames.clamped(to: 0..<frameCount)
        let reach = vocoder.cut.overlap
        let computed = max(0, frames.lowerBound - reach)..<min(frameCount, frames.upperBound + reach)
        let inputs: [(name: String, tensor: InferenceTensor)]
        if let growing { inputs = try growing.inputs(computed, as: run) } else { inputs = try seam.inputs(computed) }
        let sound = try vocoder.run(inputs, as: run)
        let hop = samplesPerFrame
        guard sound.count == computed.count * hop else {
            throw InferenceError(.run, "the model gives \(sound.count) samples for \(computed.count) frames")
        }
        let start = (frames.lowerBound - computed.lowerBound) * hop
        let samples = sound.withFloats { Array($0[start..<start + frames.count * hop]) }
        guard let samples else { throw InferenceError(.tensor, "the samples are no floats") }
        return samples
    }
}

/// What comes after the first part of a model that was cut.
final class InferenceTail: Sendable {
    let cut: ModelCut
    /// May be cut once more.
    let session: InferenceSession

    init(_ cut: ModelCut, _ session: InferenceSession) {
        self.cut = cut
        self.session = session
    }

    /// - Parameter seam: What the first part returned.
    func whole(_ seam: [InferenceOutput], as run: InferenceRun) throws(InferenceError) -> InferenceOutput {
        var inputs: [(name: String, tensor: InferenceTensor)] = []
        for (name, output) in zip(cut.seam, seam) { inputs.append((name, try output.tensor())) }
        return try self.run(inputs, as: run)
    }

    func run(
        _ inputs: [(name: String, tensor: InferenceTensor)], as run: InferenceRun
    ) throws(InferenceError) -> InferenceOutput {
        let outputs = try session.run(inputs, outputs: [cut.output], as: run)
        guard let sound = outputs.first else { throw InferenceError(.run, "the model gives no \(cut.output)") }
        return sound
    }
}
