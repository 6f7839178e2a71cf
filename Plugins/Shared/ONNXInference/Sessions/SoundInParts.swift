import GraphRewriting
public import ONNXGraphs
import Synchronization

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
    let growing: GrowingSeam?

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

/// The tensors that go from one part of a model to the next, for any part of the time.
final class Seam: Sendable {
    /// Of tensors with time, `[1, channels, frames]`. Others are the same at all times.
    private static let rank = 3

    let frameCount: Int
    private let names: [String]
    private let outputs: [InferenceOutput]

    /// - Parameter outputs: One for each name.
    init(_ names: [String], _ outputs: [InferenceOutput]) throws(InferenceError) {
        guard names.count == outputs.count else { throw InferenceError(.run, "the model gives too few tensors") }
        self.names = names
        self.outputs = outputs
        frameCount = outputs.map(Self.frames).max() ?? 0
        for output in outputs where Self.frames(output) > 1 && Self.frames(output) != frameCount {
            throw InferenceError(.run, "the model's parts do not fit together")
        }
    }

    /// How many frames a tensor has; 0 if it has no time.
    private static func frames(_ output: InferenceOutput) -> Int {
        output.shape.count == rank ? Int(clamping: output.shape[rank - 1]) : 0
    }

    /// Inputs of the next part. Those with time have these frames only.
    func inputs(_ frames: Range<Int>) throws(InferenceError) -> [(name: String, tensor: InferenceTensor)] {
        var inputs: [(name: String, tensor: InferenceTensor)] = []
        for (index, output) in outputs.enumerated() {
            inputs.append((names[index], try hasTime(index) ? output.tensor(moments: frames) : output.tensor()))
        }
        return inputs
    }

    func hasTime(_ index: Int) -> Bool { Self.frames(outputs[index]) == frameCount }
}

/// What a vocoder reads, computed by the part of the model before it as far as it is needed, or to the end if a run reads all up
/// to there anyway.
final class GrowingSeam: Sendable {
    /// Some frames of all tensors.
    private struct Piece: Sendable {
        var frames: Range<Int>
        /// How many were computed before them.
        var before: Int
        var seam: Seam
    }

    private let source: Seam
    private let session: InferenceSession
    private let names: [String]
    /// Frames on both sides that a frame depends on.
    private let overlap: Int
    /// One after the other, from the first frame on.
    private let pieces = Mutex<[Piece]>([])

    /// - Parameters:
    ///   - source: What the part reads.
    ///   - session: The part.
    ///   - names: What it returns.
    init(_ source: Seam, _ session: InferenceSession, _ names: [String], overlap: Int) {
        self.source = source
        self.session = session
        self.names = names
        self.overlap = overlap
    }

    /// The frames that each run so far gave.
    var computed: [Range<Int>] { pieces.withLock { $0.map(\.frames) } }

    /// Inputs of the vocoder for these frames. One thread at a time may call it.
    func inputs(
        _ frames: Range<Int>, as run: InferenceRun
    ) throws(InferenceError) -> [(name: String, tensor: InferenceTensor)] {
        let known = pieces.withLock { $0.last?.frames.upperBound ?? 0 }
        if known < frames.upperBound {
            let piece = try compute(known..<frames.upperBound, as: run)
            pieces.withLock { $0.append(piece) }
        }
        var inputs: [(name: String, tensor: InferenceTensor)] = []
        for piece in pieces.withLock({ $0 }) where piece.frames.overlaps(frames) {
            let wanted = piece.frames.clamped(to: frames)
            let start = wanted.lowerBound - piece.frames.lowerBound + piece.before
            let more = try piece.seam.inputs(start..<start + wanted.count)
            if inputs.isEmpty {
                inputs = more
            } else {
                for (index, input) in more.enumerated() where piece.seam.hasTime(index) {
                    inputs[index].tensor.append(moments: input.tensor)
                }
            }
        }
        return inputs
    }

    private func compute(_ frames: Range<Int>, as run: InferenceRun) throws(InferenceError) -> Piece {
        let around =
            max(0, frames.lowerBound - overlap)..<min(source.frameCount, frames.upperBound + overlap)
        let outputs = try session.runPart(try source.inputs(around), outputs: names, as: run)
        let seam = try Seam(names, outputs)
        guard seam.frameCount == around.count else {
            throw InferenceError(.run, "the model gives \(seam.frameCount) frames for \(around.count)")
        }
        // At the end of the sound nothing is missing around the last frames either.
        let frames = around.upperBound == source.frameCount ? frames.lowerBound..<source.frameCount : frames
        return Piece(frames: frames, before: frames.lowerBound - around.lowerBound, seam: seam)
    }
}
