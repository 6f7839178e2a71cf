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
