import EngineKit
import SynthInference

/// What each input and output of a model is for. Exports differ in names, in the number format of the speed and in
/// whether they return the durations, so all of it is read from the model.
struct KokoroContract: Sendable {
    /// The operation of the one node that rounds the durations, in models that do not return them.
    static let durationOperation = "Round"
    static let sampleRate = 24_000

    /// About a third of a second of sound.
    private static let checkedTokens = 2

    private static let tokenNames = ["tokens", "input_ids"]
    private static let audioNames = ["audio", "waveform"]
    private static let durationNames = ["duration", "durations", "pred_dur"]

    let tokens: String
    let speedElement: TensorDescription.Element
    let audio: String
    /// Frames of each token, pads included; `nil` if the model does not return them.
    let durations: String?
    /// Whether they are those of an inner tensor, which the model itself does not return.
    let hasInnerDurations: Bool

    init(_ session: InferenceSession) throws(EngineError) {
        let inputs = session.inputs
        func element(_ name: String) -> TensorDescription.Element? { inputs.first { $0.name == name }?.element }

        if element("input_lengths") != nil, element("scales") != nil {
            throw KokoroFailure.model("is a Piper voice, which the engine Kokoro cannot speak")
        }
        guard let tokens = Self.tokenNames.first(where: { element($0) != nil }) else {
            throw KokoroFailure.model("is not Kokoro's: it has no input \"tokens\" or \"input_ids\"")
        }
        self.tokens = tokens
        for name in ["style", "speed"] where element(name) == nil {
            throw KokoroFailure.model("is not Kokoro's: it has no input \"\(name)\"")
        }
        guard element(tokens) == .int64, element("style") == .float32, let speed = element("speed"),
            [.float32, .int32, .int64].contains(speed)
        else {
            throw KokoroFailure.model("is not Kokoro's: its inputs take other numbers")
        }
        speedElement = speed
        if let other = inputs.first(where: { ![tokens, "style", "speed"].contains($0.name) }) {
            throw KokoroFailure.model("is of no kind that is known here: it has an input \"\(other.name)\"")
        }

        let outputs = session.outputs.filter { $0.name != session.exposed }
        let sounds = outputs.filter { [.float32, .float16].contains($0.element) }
        guard
            let audio = sounds.first(where: { Self.audioNames.contains($0.name) })
                ?? sounds.first(where: { !Self.durationNames.contains($0.name) })
        else {
            throw KokoroFailure.model("is not Kokoro's: it gives no sound")
        }
        self.audio = audio.name
        let returned = outputs.first { Self.durationNames.contains($0.name) }?.name
        durations = returned ?? session.exposed
        hasInnerDurations = returned == nil && session.exposed != nil
    }

    /// Some symbols in the order of their ids, in a style with different numbers: no voice is loaded yet.
    func check() -> RewriteCheck {
        let tokens = SymbolTable.ids.values.sorted().suffix(Self.checkedTokens)
        let style = (0..<StyleTable.width).map { Float($0 * 37 % 65 - 32) / 160 }
        return RewriteCheck(
            inputs(tokens: Array(tokens), style: style), output: audio, sampleRate: Self.sampleRate)
    }

    /// - Parameter tokens: Without the pads around them.
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

/// The symbols that Kokoro-82M v1.0 was trained on, and their ids. Other symbols have no sound and are left out.
enum SymbolTable {
    /// Stands before and after the tokens of a run.
    static let pad: Int64 = 0
    /// The most tokens that the model reads, without the two pads.
    static let limit = 510

    static let ids: [Unicode.Scalar: Int64] = [
        ";": 1, ":": 2, ",": 3, ".": 4, "!": 5, "?": 6, "—": 9, "…": 10, "\"": 11, "(": 12, ")": 13, "“": 14,
        "”": 15, " ": 16, "\u{303}": 17, "ʣ": 18, "ʥ": 19, "ʦ": 20, "ʨ": 21, "ᵝ": 22, "ꭧ": 23, "A": 24, "I": 25,
        "O": 31, "Q": 33, "S": 35, "T": 36, "W": 39, "Y": 41, "ᵊ": 42, "a": 43, "b": 44, "c": 45, "d": 46, "e": 47,
        "f": 48, "h": 50, "i": 51, "j": 52, "k": 53, "l": 54, "m": 55, "n": 56, "o": 57, "p": 58, "q": 59, "r": 60,
        "s": 61, "t": 62, "u": 63, "v": 64, "w": 65, "x": 66, "y": 67, "z": 68, "ɑ": 69, "ɐ": 70, "ɒ": 71, "æ": 72,
        "β": 75, "ɔ": 76, "ɕ": 77, "ç": 78, "ɖ": 80, "ð": 81, "ʤ": 82, "ə": 83, "ɚ": 85, "ɛ": 86, "ɜ": 87, "ɟ": 90,
        "ɡ": 92, "ɥ": 99, "ɨ": 101, "ɪ": 102, "ʝ": 103, "ɯ": 110, "ɰ": 111, "ŋ": 112, "ɳ": 113, "ɲ": 114, "ɴ": 115,
        "ø": 116, "ɸ": 118, "θ": 119, "œ": 120, "ɹ": 123, "ɾ": 125, "ɻ": 126, "ʁ": 128, "ɽ": 129, "ʂ": 130, "ʃ": 131,
        "ʈ": 132, "ʧ": 133, "ʊ": 135, "ʋ": 136, "ʌ": 138, "ɣ": 139, "ɤ": 140, "χ": 142, "ʎ": 143, "ʒ": 147, "ʔ": 148,
        "ˈ": 156, "ˌ": 157, "ː": 158, "ʰ": 162, "ʲ": 164, "↓": 169, "→": 171, "↗": 172, "↘": 173, "ᵻ": 177,
    ]
}
