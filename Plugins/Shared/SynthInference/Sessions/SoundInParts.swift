import Synchronization
import SynthGraphRewriting
public import SynthGraphs
public import SynthONNXRuntime

/// A sound of which everything but the samples is computed. They can be computed part by part.
public final class SoundInParts: Sendable {
    /// Samples of sound for each frame.
    public let samplesPerFrame: Int
    public let frameCount: Int
    /// Frames that are read after a frame for its samples. The first part takes about as long as if all of it were computed for them.
    let lookahead: Int
    /// Frames on both sides of a part that are computed again. It is what the last stage depends on, which has most of the work.
    let overlap: Int

    private let seam: Seam
    private let start: Progress
    private let progress: Mutex<Progress>

    /// What earlier parts left for the next one.
    private struct Progress: Sendable {
        /// What the vocoder reads if it is not the seam.
        var growing: GrowingSeam?
        var vocoder: PartStream
        /// Frames of which the samples were computed.
        var end = 0
    }

    /// - Parameter seam: What the model's first part returned.
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

    public var sampleCount: Int { frameCount * samplesPerFrame }

    /// What the flow gave so far, run by run; `nil` if the vocoder reads the seam.
    var computed: [Range<Int>]? { progress.withLock { $0.growing?.computed } }

    /// The samples of these frames. They are those of a run of the whole, but for rounding. One thread at a time may ask.
    ///
    /// - Parameter frames: They follow those that were asked for last, or begin at 0.
    public func samples(of frames: Range<Int>, as run: InferenceRun) throws(InferenceError) -> [Float] {
        let (sound, found) = try sound(of: frames.clamped(to: 0..<frameCount), as: run)
        let samples = sound.withFloats { Array($0[found]) }
        guard let samples else { throw InferenceError(.tensor, "the samples are no floats") }
        return samples
    }

    /// All samples, in the shape that the model gives them.
    func whole(as run: InferenceRun) throws(InferenceError) -> InferenceOutput {
        try sound(of: 0..<frameCount, as: run).output
    }

    /// An output of the vocoder, and where the samples of these frames are in it.
    private func sound(
        of frames: Range<Int>, as run: InferenceRun
    ) throws(InferenceError) -> (output: InferenceOutput, samples: Range<Int>) {
        var state = frames.lowerBound == 0 ? start : progress.withLock { $0 }
        guard frames.lowerBound == state.end else { throw InferenceError(.run, "parts of a sound are out of order") }
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
            throw InferenceError(.run, "the model gives \(sounds.first?.count ?? 0) samples in place of \(step.given)")
        }
        // Who stopped it does not wait for what came of it.
        guard !run.isTerminated else { throw InferenceError(.terminated, "the run was stopped") }
        state.end = frames.upperBound
        let next = state
        progress.withLock { $0 = next }
        return (sound, step.output)
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
}

/// The tensors that go from one part of a model to the next, for any part of the time.
final class Seam: Sendable {
    /// Of tensors with time, `[1, channels, frames]`. Others are the same at all times.
    private static let rank = 3
    /// Years of sound, and far from overflow with any number of samples for a frame.
    private static let mostFrames = 1 << 36

    let frameCount: Int
    private let names: [String]
    private let outputs: [InferenceOutput]

    /// - Parameter outputs: One for each name.
    init(_ names: [String], _ outputs: [InferenceOutput]) throws(InferenceError) {
        guard names.count == outputs.count else { throw InferenceError(.run, "the model gives too few tensors") }
        self.names = names
        self.outputs = outputs
        frameCount = outputs.map(Self.frames).max() ?? 0
        // A tensor without channels needs no memory for any number of frames.
        guard frameCount <= Self.mostFrames else { throw InferenceError(.run, "the model gives too many frames") }
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
            let isPart = hasTime(index) && frames.count < frameCount
            inputs.append((names[index], try isPart ? output.tensor(moments: frames) : output.tensor()))
        }
        return inputs
    }

    func hasTime(_ index: Int) -> Bool { Self.frames(outputs[index]) == frameCount }
}

/// What a vocoder reads, computed by the part of the model before it as far as it is needed, or to the end if a run reads all up
/// to there anyway.
private struct GrowingSeam: Sendable {
    /// Some frames of all tensors.
    private struct Piece: Sendable {
        var frames: Range<Int>
        /// How many stand before them.
        var before: Int
        var seam: Seam
    }

    private let names: [String]
    private var stream: PartStream
    /// One after the other, as far as they are still needed.
    private var pieces: [Piece] = []
    /// The frames that each run so far gave.
    private(set) var computed: [Range<Int>] = []

    /// - Parameters:
    ///   - stream: The part before the vocoder.
    ///   - names: What it returns.
    init(_ stream: PartStream, _ names: [String]) {
        self.names = names
        self.stream = stream
    }

    /// Inputs of the vocoder for these frames. No call asks for frames before those of the last one.
    ///
    /// - Parameter source: What the part before the vocoder reads.
    mutating func inputs(
        _ frames: Range<Int>, of source: Seam, as run: InferenceRun
    ) throws(InferenceError) -> [(name: String, tensor: InferenceTensor)] {
        pieces.removeAll { $0.frames.upperBound <= frames.lowerBound }
        let known = computed.last?.upperBound ?? 0
        if known < frames.upperBound || computed.isEmpty {
            let step = stream.step(to: frames.upperBound, goesOn: true)
            let outputs = try stream.run(step, try source.inputs(step.input), outputs: names, as: run)
            let seam = try Seam(names, outputs)
            guard seam.frameCount == step.given else {
                throw InferenceError(.run, "the model gives \(seam.frameCount) frames for \(step.given)")
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
