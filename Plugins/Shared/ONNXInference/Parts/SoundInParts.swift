/// A sound of which everything but the samples is computed. They can be computed for any part of the time.
public final class SoundInParts: Sendable {
    /// Of tensors with time, `[1, channels, frames]`. Others go into each part whole.
    private static let rank = 3

    /// Samples of sound for each frame.
    public let samplesPerFrame: Int
    public let frameCount: Int

    private let tail: InferenceTail
    private let seam: [InferenceOutput]

    init(_ tail: InferenceTail, _ seam: [InferenceOutput]) throws(InferenceError) {
        self.tail = tail
        self.seam = seam
        samplesPerFrame = tail.cut.hop
        frameCount = seam.map(Self.frames).max() ?? 0
        for output in seam where Self.frames(output) > 1 && Self.frames(output) != frameCount {
            throw InferenceError(.run, "the model's halves do not fit together")
        }
    }

    /// How many frames a tensor has; 0 if it has no time.
    private static func frames(_ output: InferenceOutput) -> Int {
        output.shape.count == rank ? Int(clamping: output.shape[rank - 1]) : 0
    }

    public var sampleCount: Int { frameCount * samplesPerFrame }

    /// How many frames on both sides are computed with those that are asked for.
    var overlap: Int { tail.cut.overlap }

    private func around(_ frames: Range<Int>) -> Range<Int> {
        max(0, frames.lowerBound - tail.cut.overlap)..<min(frameCount, frames.upperBound + tail.cut.overlap)
    }

    /// The samples of these frames. They are those of a run of the whole, but for rounding.
    ///
    /// - Parameter frames: Within `0..<frameCount`.
    public func samples(of frames: Range<Int>, as run: InferenceRun) throws(InferenceError) -> [Float] {
        let frames = frames.clamped(to: 0..<frameCount)
        let computed = around(frames)
        var inputs: [(name: String, tensor: InferenceTensor)] = []
        for (name, output) in zip(tail.cut.seam, seam) {
            let hasTime = Self.frames(output) == frameCount
            inputs.append((name, try hasTime ? output.tensor(moments: computed) : output.tensor()))
        }
        let sound = try tail.run(inputs, as: run)
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
