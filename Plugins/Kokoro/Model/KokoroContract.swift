import EngineKit
import SynthInference
import SynthSymbols

/// The role of each input and output of a model. Exports differ in their names, in the element type of the speed and in
/// whether they return durations, so the roles are inferred from the model.
struct KokoroContract: Sendable {
    /// In models that do not return durations, the operation of the only node that rounds them.
    static let durationOperation = "Round"
    static let sampleRate = 24_000

    /// The number of tokens in the input that is used to compare two graphs. It yields about a third of a second of
    /// audio.
    private static let checkedTokens = 2

    private static let tokenNames = ["tokens", "input_ids"]
    private static let audioNames = ["audio", "waveform"]
    private static let durationNames = ["duration", "durations", "pred_dur"]

    let tokens: String
    let speedElement: TensorDescription.Element
    let audio: String
    /// The name of the output with the number of frames per token, including pads; `nil` if the model does not return it.
    let durations: String?
    /// Whether the durations are an intermediate tensor that the model itself does not return.
    let hasInnerDurations: Bool

    init(_ session: InferenceSession) throws(EngineError) {
        let inputs = session.inputs
        func element(_ name: String) -> TensorDescription.Element? { inputs.first { $0.name == name }?.element }

        if element("input_lengths") != nil, element("scales") != nil {
            throw KokoroFailure.model("is a Piper voice, which the Kokoro engine cannot use")
        }
        guard let tokens = Self.tokenNames.first(where: { element($0) != nil }) else {
            throw KokoroFailure.model("is not a Kokoro model: it has no input \"tokens\" or \"input_ids\"")
        }
        self.tokens = tokens
        for name in ["style", "speed"] where element(name) == nil {
            throw KokoroFailure.model("is not a Kokoro model: it has no input \"\(name)\"")
        }
        guard element(tokens) == .int64, element("style") == .float32, let speed = element("speed"),
            [.float32, .int32, .int64].contains(speed)
        else {
            throw KokoroFailure.model("is not a Kokoro model: its inputs have unexpected element types")
        }
        speedElement = speed
        if let other = inputs.first(where: { ![tokens, "style", "speed"].contains($0.name) }) {
            throw KokoroFailure.model("is not a supported kind of model: it has the unknown input \"\(other.name)\"")
        }

        let outputs = session.outputs.filter { $0.name != session.exposed }
        let sounds = outputs.filter { [.float32, .float16].contains($0.element) }
        guard
            let audio = sounds.first(where: { Self.audioNames.contains($0.name) })
                ?? sounds.first(where: { !Self.durationNames.contains($0.name) })
        else {
            throw KokoroFailure.model("is not a Kokoro model: it returns no audio")
        }
        self.audio = audio.name
        let returned = outputs.first { Self.durationNames.contains($0.name) }?.name
        durations = returned ?? session.exposed
        hasInnerDurations = returned == nil && session.exposed != nil
    }

    /// Returns sample input for comparing the results of two graphs: symbols in ID order, and a style of varied
    /// numbers, because no voice is loaded yet.
    func check() -> RewriteCheck {
        let tokens = SymbolTable.ids.values.sorted().suffix(Self.checkedTokens)
        let style = (0..<StyleTable.width).map { Float($0 * 37 % 65 - 32) / 160 }
        return RewriteCheck(
            inputs(tokens: Array(tokens), style: style), output: audio, sampleRate: Self.sampleRate)
    }

    /// - Parameter tokens: The tokens, without pads.
    func inputs(tokens: [Int64], style: [Float]) -> [(name: String, tensor: InferenceTensor)] {
        let padded = [SymbolTable.pad] + tokens + [SymbolTable.pad]
        let speedTensor =
            switch speedElement {
            case .int32: InferenceTensor([Int32(1)], shape: [1])
            case .int64: InferenceTensor([Int64(1)], shape: [1])
            default: InferenceTensor([Float(1)], shape: [1])
            }
        return [
            (self.tokens, InferenceTensor(padded, shape: [1, Int64(padded.count)])),
            ("style", InferenceTensor(style, shape: [1, Int64(style.count)])), ("speed", speedTensor),
        ]
    }
}

extension RunLengths {
    /// The model speaks too fast near its symbol limit, and a text of fewer than about five words sounds unnatural when
    /// synthesized on its own.
    static let kokoro = RunLengths(limit: 250, enough: 175, few: 40)
}
