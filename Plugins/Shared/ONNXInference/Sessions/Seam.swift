import ONNXGraphs
import Synchronization

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

/// What a vocoder reads, computed by the part of the model before it as far as it is needed.
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
        return Piece(frames: frames, before: frames.lowerBound - around.lowerBound, seam: seam)
    }
}
