import Synchronization
import SynthGraphRewriting
public import SynthGraphs
public import SynthONNXRuntime

/// Audio whose samples are computed in parts, after the model's first part has run.
public final class SoundInParts: Sendable {
    /// The number of audio samples per frame.
    public let samplesPerFrame: Int
    /// The length of the audio in frames.
    public let frameCount: Int
    /// The number of subsequent frames that a frame's samples depend on. Computing the first part takes about as long as
    /// computing all of these frames.
    let lookahead: Int
    /// The number of frames on either side of a part that are recomputed: the reach of the last stage, which does most of
    /// the work.
    let overlap: Int

    private let seam: Seam
    private let start: Progress
    private let progress: Mutex<Progress>

    /// The state carried from one part to the next.
    private struct Progress: Sendable {
        /// The vocoder's input; `nil` if the vocoder reads the seam.
        var growing: GrowingSeam?
        var vocoder: PartStream
        /// The number of frames whose samples have been computed.
        var end = 0
    }

    /// - Parameter seam: The outputs of the model's first part.
    init(_ tail: InferenceTail, _ seam: [InferenceOutput]) throws(InferenceError) {
        let vocoder = tail.session.tail ?? tail
        let hop = tail.cut.hop
        samplesPerFrame = hop
        lookahead = tail.cut.overlap
        overlap = vocoder.cut.stages.last.map { ($0.reach * $0.stride + hop - 1) / hop } ?? 0
        let seam = try Seam(tail.cut.seam, seam)
        self.seam = seam
        frameCount = seam.frameCount
        let stream = PartStream(tail, frameCount: seam.frameCount)
        if let vocoder = tail.session.tail {
            start = Progress(
                growing: GrowingSeam(stream, vocoder.cut.seam),
                vocoder: PartStream(vocoder, frameCount: seam.frameCount))
        } else {
            start = Progress(vocoder: stream)
        }
        progress = Mutex(start)
    }

    /// The length of the audio in samples.
    public var sampleCount: Int { frameCount * samplesPerFrame }

    /// The frames computed by each run of the flow; `nil` if the vocoder reads the seam.
    var computed: [Range<Int>]? { progress.withLock { $0.growing?.computed } }

    /// Returns the samples of a frame range, which equal the samples of a complete run except for rounding. Only one
    /// thread at a time may call this.
    ///
    /// - Parameter frames: A range that starts at 0 or at the end of the previous range.
    public func samples(of frames: Range<Int>, as run: InferenceRun) throws(InferenceError) -> [Float] {
        let (sound, found) = try sound(of: frames.clamped(to: 0..<frameCount), as: run)
        let samples = sound.withFloats { Array($0[found]) }
        guard let samples else { throw InferenceError(.tensor, "the samples are not floats") }
        return samples
    }

    /// Returns all samples, in the shape of the model's output.
    func whole(as run: InferenceRun) throws(InferenceError) -> InferenceOutput {
        try sound(of: 0..<frameCount, as: run).output
    }

    /// Returns the vocoder's output and the range within it that contains the requested samples.
    private func sound(
        of frames: Range<Int>, as run: InferenceRun
    ) throws(InferenceError) -> (output: InferenceOutput, samples: Range<Int>) {
        var state = frames.lowerBound == 0 ? start : progress.withLock { $0 }
        guard frames.lowerBound == state.end else {
            throw InferenceError(.run, "the parts of the audio are out of order")
        }
        let step = state.vocoder.step(to: frames.upperBound * samplesPerFrame)
        let inputs: [(name: String, tensor: InferenceTensor)]
        if var growing = state.growing {
            inputs = try growing.inputs(step.input, of: seam, as: run)
            state.growing = growing
        } else {
            inputs = try seam.inputs(step.input)
        }
        let sounds = try state.vocoder.run(step, inputs, outputs: nil, as: run)
        guard let sound = sounds.first, sound.count == step.given else {
            throw InferenceError(.run, "the model returns \(sounds.first?.count ?? 0) samples instead of \(step.given)")
        }
        // A caller that stopped the run no longer waits for the result.
        guard !run.isTerminated else { throw InferenceError(.terminated, "the run was stopped") }
        state.end = frames.upperBound
        let next = state
        progress.withLock { $0 = next }
        return (sound, step.output)
    }
}

/// The parts of a divided model that follow the first part.
final class InferenceTail: Sendable {
    let cut: ModelCut
    /// The session of the next part, which may have its own tail.
    let session: InferenceSession

    init(_ cut: ModelCut, _ session: InferenceSession) {
        self.cut = cut
        self.session = session
    }
}

/// The tensors that one part of a model passes to the next, for any range of time.
final class Seam: Sendable {
    /// The rank of tensors with a time axis, `[1, channels, frames]`. Other tensors are constant over time.
    private static let rank = 3
    /// The maximum number of frames, which corresponds to years of audio. It prevents overflow for any number of
    /// samples per frame.
    private static let maximumFrames = 1 << 36

    let frameCount: Int
    private let names: [String]
    private let outputs: [InferenceOutput]

    init(_ names: [String], _ outputs: [InferenceOutput]) throws(InferenceError) {
        guard names.count == outputs.count else { throw InferenceError(.run, "the model returns too few tensors") }
        self.names = names
        self.outputs = outputs
        frameCount = outputs.map(Self.frames).max() ?? 0
        // A tensor without channels uses no memory, regardless of its frame count, so check the count itself.
        guard frameCount <= Self.maximumFrames else { throw InferenceError(.run, "the model returns too many frames") }
        for output in outputs where Self.frames(output) > 1 && Self.frames(output) != frameCount {
            throw InferenceError(.run, "the shapes of the model's parts do not match")
        }
    }

    /// Returns a tensor's frame count; 0 if the tensor has no time axis.
    private static func frames(_ output: InferenceOutput) -> Int {
        output.shape.count == rank ? Int(clamping: output.shape[rank - 1]) : 0
    }

    /// Returns the inputs of the next part, with tensors that have a time axis cut to these frames.
    func inputs(_ frames: Range<Int>) throws(InferenceError) -> [(name: String, tensor: InferenceTensor)] {
        var inputs: [(name: String, tensor: InferenceTensor)] = []
        for (index, output) in outputs.enumerated() {
            let isPart = hasTime(index) && frames.count < frameCount
            inputs.append((names[index], try isPart ? output.tensor(moments: frames) : output.tensor()))
        }
        return inputs
    }

    func hasTime(_ index: Int) -> Bool { Self.frames(outputs[index]) == frameCount }
}

/// The vocoder's input, which grows as the preceding part computes it. That part computes only as much as is needed, or
/// everything if a run reads all of its input anyway.
private struct GrowingSeam: Sendable {
    /// The values of all tensors in a frame range.
    private struct Piece: Sendable {
        var frames: Range<Int>
        /// The number of context frames before `frames`.
        var before: Int
        var seam: Seam
    }

    private let names: [String]
    private var stream: PartStream
    /// The pieces that are still needed, in order.
    private var pieces: [Piece] = []
    /// The frames computed by each run.
    private(set) var computed: [Range<Int>] = []

    /// - Parameters:
    ///   - stream: The part that precedes the vocoder.
    ///   - names: The outputs of that part.
    init(_ stream: PartStream, _ names: [String]) {
        self.names = names
        self.stream = stream
    }

    /// Returns the vocoder's inputs for these frames. A range must not start before the previous one.
    ///
    /// - Parameter source: The input of the part that precedes the vocoder.
    mutating func inputs(
        _ frames: Range<Int>, of source: Seam, as run: InferenceRun
    ) throws(InferenceError) -> [(name: String, tensor: InferenceTensor)] {
        pieces.removeAll { $0.frames.upperBound <= frames.lowerBound }
        let known = computed.last?.upperBound ?? 0
        if known < frames.upperBound || computed.isEmpty {
            let step = stream.step(to: frames.upperBound, continuesText: true)
            let outputs = try stream.run(step, try source.inputs(step.input), outputs: names, as: run)
            let seam = try Seam(names, outputs)
            guard seam.frameCount == step.given else {
                throw InferenceError(.run, "the model returns \(seam.frameCount) frames instead of \(step.given)")
            }
            computed.append(known..<known + step.output.count)
            pieces.append(Piece(frames: known..<known + step.output.count, before: step.output.lowerBound, seam: seam))
        }
        var inputs: [(name: String, tensor: InferenceTensor)] = []
        for piece in pieces where piece.frames.overlaps(frames) || source.frameCount == 0 {
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
}
