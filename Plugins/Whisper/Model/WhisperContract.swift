import EngineKit
import SynthInference

/// The inputs and outputs of the encoder and the decoder, read from their files. Optimum exports them as follows:
///
/// * encoder: `input_features` [1, bands, 3000] → `last_hidden_state` [1, 1500, width];
/// * merged decoder: `input_ids` i64 [b, n], `encoder_hidden_states`, `use_cache_branch` bool [1] and, for each layer i,
///   `past_key_values.{i}.{decoder,encoder}.{key,value}` [b, heads, past, size] → `logits` [b, n, tokens], `present.{i}.…`,
///   and in some exports `cross_attentions.{i}` [b, heads, n, 1500].
struct WhisperContract: Sendable {
    typealias Element = TensorDescription.Element

    static let features = "input_features"
    static let hidden = "last_hidden_state"
    static let ids = "input_ids"
    static let encoded = "encoder_hidden_states"
    static let usesCache = "use_cache_branch"
    static let logits = "logits"
    /// The size of a head in every published model.
    private static let headSize = 64
    private static let maximumLayers = 128
    private static let maximumHeads = 128

    let bandCount: Int
    /// The number of frames that the encoder accepts; `nil` for any number up to 3000.
    let frameCount: Int?
    let featureElement: Element
    let layerCount: Int
    let headCount: Int
    let headSize: Int
    /// The element type of keys and values.
    let cacheElement: Element
    let hiddenElement: Element
    /// The number of tokens that are scored, if the file declares it.
    let vocabulary: Int?
    let givesAttention: Bool

    enum Side: String, CaseIterable {
        /// Keys and values for the generated text, which grow with every token.
        case decoder
        /// Keys and values for the audio, which do not change.
        case encoder
    }

    enum Part: String, CaseIterable {
        case key, value
    }

    static func past(_ layer: Int, _ side: Side, _ part: Part) -> String {
        "past_key_values.\(layer).\(side.rawValue).\(part.rawValue)"
    }

    static func present(_ layer: Int, _ side: Side, _ part: Part) -> String {
        "present.\(layer).\(side.rawValue).\(part.rawValue)"
    }

    static func attention(_ layer: Int) -> String { "cross_attentions.\(layer)" }

    init(encoder: DeclaredTensors, decoder: DeclaredTensors) throws {
        let features = try Self.find(Self.features, in: encoder.inputs, WhisperRole.encoder)
        let hidden = try Self.find(Self.hidden, in: encoder.outputs, WhisperRole.encoder)
        guard features.shape.count == 3, let bands = features.shape[1], [80, 128].contains(bands) else {
            throw EngineError.encoder("does not accept features with 80 or 128 mel bands")
        }
        if let frames = features.shape[2], frames < 2 || frames > LogMel.frameCount || !frames.isMultiple(of: 2) {
            throw EngineError.encoder("expects \(frames) frames instead of \(LogMel.frameCount)")
        }
        (bandCount, frameCount, featureElement) = (bands, features.shape[2], features.element)

        guard try Self.find(Self.ids, in: decoder.inputs, WhisperRole.decoder).element == .int64,
            try Self.find(Self.usesCache, in: decoder.inputs, WhisperRole.decoder).element == .bool
        else { throw EngineError.decoder("does not have the inputs of a merged Whisper decoder") }
        hiddenElement = try Self.find(Self.encoded, in: decoder.inputs, WhisperRole.decoder).element
        let layers = (0..<Self.maximumLayers).prefix { layer in
            decoder.inputs.contains { $0.name == Self.past(layer, .decoder, .key) }
        }.count
        guard layers > 0 else { throw EngineError.decoder("has no cache, so it is not a merged decoder") }
        let first = try Self.find(Self.past(0, .decoder, .key), in: decoder.inputs, WhisperRole.decoder)
        let size = first.shape.count == 4 ? first.shape[3] ?? Self.headSize : Self.headSize
        // Every published model has a head size of 64, so the number of heads follows from the width.
        let width = hidden.shape.last ?? nil
        let declared = first.shape.count == 4 ? first.shape[1] : nil
        guard size > 0, size <= 1 << 12, let heads = declared ?? width.map({ $0 / size }),
            (1...Self.maximumHeads).contains(heads)
        else { throw EngineError.decoder("does not declare its number of heads") }
        (layerCount, headCount, headSize, cacheElement) = (layers, heads, size, first.element)
        for layer in 0..<layers {
            for side in Side.allCases {
                for part in Part.allCases {
                    _ = try Self.find(Self.past(layer, side, part), in: decoder.inputs, WhisperRole.decoder)
                    _ = try Self.find(Self.present(layer, side, part), in: decoder.outputs, WhisperRole.decoder)
                }
            }
        }
        let known = 3 + layers * Side.allCases.count * Part.allCases.count
        guard decoder.inputs.count == known else { throw EngineError.decoder("has unknown inputs") }
        let elements: [Element] = [.float32, .float16]
        guard [featureElement, cacheElement, hiddenElement].allSatisfy(elements.contains) else {
            throw EngineError.decoder("has inputs that are not floats")
        }
        let logits = try Self.find(Self.logits, in: decoder.outputs, WhisperRole.decoder)
        vocabulary = logits.shape.count == 3 ? logits.shape[2] : nil
        givesAttention = (0..<layers).allSatisfy { layer in
            decoder.outputs.contains { $0.name == Self.attention(layer) }
        }
    }

    private static func find(
        _ name: String, in tensors: [DeclaredTensors.Tensor], _ role: String
    ) throws -> DeclaredTensors.Tensor {
        guard let tensor = tensors.first(where: { $0.name == name }) else {
            throw EngineError.model(role, "it does not belong to a Whisper model: it has no \"\(name)\"")
        }
        return tensor
    }

    /// Converts floats to an input's element type.
    static func tensor(_ numbers: [Float], _ shape: [Int], as element: Element) -> InferenceTensor {
        let shape = shape.map { Int64($0) }
        return element == .float16
            ? InferenceTensor(.float16(numbers.map { Float16($0) }), shape: shape)
            : InferenceTensor(numbers, shape: shape)
    }
}
