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
