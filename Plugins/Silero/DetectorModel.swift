package import SynthInference

/// A loaded model. It can process several streams concurrently.
///
/// `input` f32 [1, 64 + 512], `state` f32 [2, 1, 128], `sr` i64 → `output` [1, 1], the probability of speech, and `stateN`,
/// the next state. The input starts with the 64 samples before the block. Without them, the model classifies all audio
/// as silence and reports no error.
package struct DetectorModel: Sendable {
    /// The sample rate in hertz.
    package static let rate = 16_000
    /// The number of samples per block, which is 32 ms.
    package static let block = 512
    /// The number of samples before the block that are part of the input.
    static let before = 64

    fileprivate static let (input, state, sampleRate) = ("input", "state", "sr")
    fileprivate static let (output, nextState) = ("output", "stateN")
    private static let most = 1 << 12

    fileprivate let session: InferenceSession
    fileprivate let stateShape: [Int64]

    /// Loads the model, which takes a few milliseconds.
    ///
    /// - Parameter cacheDirectory: An existing folder for the optimized graph; `nil` disables the cache.
    /// - Throws: An error if the file is not a Silero VAD model.
    package init(_ path: String, cacheDirectory: String? = nil) throws(InferenceError) {
        let declared = try DeclaredTensors(model: path)
        func find(
            _ name: String, in tensors: [DeclaredTensors.Tensor], _ element: TensorDescription.Element
        ) throws(InferenceError) -> [Int?] {
            guard let tensor = tensors.first(where: { $0.name == name }) else {
                throw InferenceError(.model, "it is not Silero VAD version 5 or later: it has no \"\(name)\"")
            }
            guard tensor.element == element else {
                throw InferenceError(.model, "the element type of \"\(name)\" differs from that in Silero VAD")
            }
            return tensor.shape
        }
        _ = try find(Self.input, in: declared.inputs, .float32)
        _ = try find(Self.sampleRate, in: declared.inputs, .int64)
        _ = try find(Self.output, in: declared.outputs, .float32)
        _ = try find(Self.nextState, in: declared.outputs, .float32)
        let state = try find(Self.state, in: declared.inputs, .float32)
        guard declared.inputs.count == 3 else {
            throw InferenceError(.model, "it has inputs that Silero VAD lacks")
        }
        let (layers, width) = state.count == 3 ? (state[0] ?? 2, state[2] ?? 128) : (2, 128)
        guard (1...Self.most).contains(layers), (1...Self.most).contains(width) else {
            throw InferenceError(.model, "its state has an unexpected shape")
        }
        stateShape = [Int64(layers), 1, Int64(width)]
        // Use a single thread: a block takes about 0.14 ms, so several threads would only wait for each other.
        session = try InferenceSession(model: path, threads: 1, cacheDirectory: cacheDirectory)
        // A trial run detects a mismatch now rather than in the middle of a recording.
        var probability = SpeechProbability(self)
        _ = try probability.next([])
    }
}

/// The probability of speech in successive blocks of a stream. Use an instance on one thread at a time.
package struct SpeechProbability {
    private let model: DetectorModel
    private var state: InferenceTensor
    private var before = [Float](repeating: 0, count: DetectorModel.before)

    package init(_ model: DetectorModel) {
        self.model = model
        let count = model.stateShape.reduce(1) { $0 * Int($1) }
        state = InferenceTensor([Float](repeating: 0, count: count), shape: model.stateShape)
    }

    /// - Parameter block: The next 512 samples; a shorter block is padded with silence.
    /// - Returns: The probability of speech, from 0 to 1.
    package mutating func next(_ block: [Float]) throws(InferenceError) -> Float {
        var samples = before + block.prefix(DetectorModel.block)
        samples += repeatElement(0, count: DetectorModel.before + DetectorModel.block - samples.count)
        before = samples.suffix(DetectorModel.before)
        let outputs = try model.session.run(
            [
                (DetectorModel.input, InferenceTensor(samples, shape: [1, Int64(samples.count)])),
                (DetectorModel.state, state),
                (DetectorModel.sampleRate, InferenceTensor([Int64(DetectorModel.rate)], shape: [])),
            ], outputs: [DetectorModel.output, DetectorModel.nextState], as: try InferenceRun())
        guard outputs.count == 2, outputs[1].element == .float32, outputs[1].shape == model.stateShape,
            let numbers = outputs[0].floats(), numbers.count == 1, (0...1).contains(numbers[0])
        else { throw InferenceError(.run, "it does not return a probability and a state") }
        state = InferenceTensor(outputs[1])
        return numbers[0]
    }
}
