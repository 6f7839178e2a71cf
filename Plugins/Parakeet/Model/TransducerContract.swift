import EngineKit
import SynthInference

/// The inputs and outputs of a NeMo transducer, read from its files. There are two layouts.
///
/// onnx-asr's files are recognized by input and output names:
///
/// * encoder: `audio_signal` [b, bands, t], `length` i64 → `outputs` [b, width, t / 8], `encoded_lengths`;
/// * decoder and joiner in one: `encoder_outputs` [b, width, 1], `targets` i32 [b, 1], `target_length` i32, `input_states_1`
///   and `_2` [layers, b, hidden] → `outputs` [b, 1, 1, tokens + durations], `prednet_lengths`, `output_states_1` and `_2`.
///
/// sherpa-onnx's files are recognized by the order of inputs and outputs:
///
/// * encoder: the same as above;
/// * decoder: targets, their count, two states → the decoder's output, a length, two states;
/// * joiner: the outputs of encoder and decoder → scores.
struct TransducerContract: Sendable {
    /// The maximum number of values in a state. Published models have far fewer.
    private static let most = 1 << 14

    let sound: (signal: String, length: String)
    let encoded: (outputs: String, lengths: String)
    /// The number of bands; `nil` if the encoder does not declare it.
    let bandCount: Int?
    let targets: (tokens: String, count: String)
    let targetElement: TensorDescription.Element
    let states: [(name: String, next: String, shape: [Int64])]
    /// The name of the decoder output that the joiner reads. If there is no joiner, this is the name of the decoder
    /// input for the encoder's output.
    let predicted: String
    let scores: String
    /// The joiner's inputs; `nil` if the decoder includes the joiner.
    let joined: (encoded: String, predicted: String)?

    /// - Parameter joiner: `nil` if the decoder includes the joiner.
    init(
        encoder: DeclaredTensors, decoder: DeclaredTensors, joiner: DeclaredTensors?
    ) throws(EngineError) {
        // Inputs may be declared in any order.
        func first(
            _ element: TensorDescription.Element, of tensors: [DeclaredTensors.Tensor]
        ) -> DeclaredTensors.Tensor? { tensors.first { $0.element == element } }
        guard encoder.inputs.count == 2, let signal = first(.float32, of: encoder.inputs),
            let length = first(.int64, of: encoder.inputs)
        else { throw .encoder("has no inputs for mel features and their length") }
        guard let outputs = first(.float32, of: encoder.outputs), let lengths = first(.int64, of: encoder.outputs)
        else { throw .encoder("has no outputs for frames and their length") }
        (sound, encoded) = ((signal.name, length.name), (outputs.name, lengths.name))
        let shape = signal.shape
        bandCount = shape.count == 3 ? shape[1] : nil
        if joiner == nil {
            let names = ["encoder_outputs", "targets", "target_length", "input_states_1", "input_states_2"]
            let inputs = try Self.find(names, in: decoder.inputs)
            let outputs = try Self.find(["outputs", "output_states_1", "output_states_2"], in: decoder.outputs)
            guard decoder.inputs.count == names.count else { throw .predictor("has unknown inputs") }
            (targets, targetElement) = ((inputs[1].name, inputs[2].name), inputs[1].element)
            states = try zip(inputs[3...], outputs[1...]).map { (state, next) throws(EngineError) in
                (state.name, next.name, try Self.shape(of: state))
            }
            (predicted, scores) = (inputs[0].name, outputs[0].name)
        } else {
            guard decoder.inputs.count == 4, decoder.outputs.count >= 4 else {
                throw .predictor("has no inputs for tokens and two states")
            }
            (targets, targetElement) = ((decoder.inputs[0].name, decoder.inputs[1].name), decoder.inputs[0].element)
            states = try zip(decoder.inputs[2...], decoder.outputs[2...]).map { (state, next) throws(EngineError) in
                (state.name, next.name, try Self.shape(of: state))
            }
            predicted = decoder.outputs[0].name
            scores = joiner?.outputs.first?.name ?? ""
        }
        joined = try joiner.map { (joiner) throws(EngineError) in
            guard joiner.inputs.count == 2, !joiner.outputs.isEmpty else {
                throw EngineError(
                    .badFile, "The model's joiner does not accept the outputs of the encoder and the decoder.",
                    role: ParakeetRole.joiner)
            }
            return (joiner.inputs[0].name, joiner.inputs[1].name)
        }
        guard targetElement == .int32 || targetElement == .int64 else { throw .predictor("has no input for tokens") }
    }

    /// A tensor with the decoder's element type that contains one number: a token, or the number of tokens.
    func numbers(_ number: Int, shape: [Int64]) -> InferenceTensor {
        targetElement == .int32
            ? InferenceTensor([Int32(clamping: number)], shape: shape)
            : InferenceTensor([Int64(number)], shape: shape)
    }

    private static func find(
        _ names: [String], in tensors: [DeclaredTensors.Tensor]
    ) throws(EngineError) -> [DeclaredTensors.Tensor] {
        try names.map { (name) throws(EngineError) in
            guard let tensor = tensors.first(where: { $0.name == name }) else { throw .predictor("has no \"\(name)\"") }
            return tensor
        }
    }

    private static func shape(of state: DeclaredTensors.Tensor) throws(EngineError) -> [Int64] {
        guard state.element == .float32, state.shape.count == 3, let layers = state.shape[0],
            let hidden = state.shape[2], (1...most).contains(layers), (1...most).contains(hidden),
            layers * hidden <= most
        else { throw .predictor("does not declare the size of its state \"\(state.name)\"") }
        return [Int64(layers), 1, Int64(hidden)]
    }
}
