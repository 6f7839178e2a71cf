import Glibc
package import SynthGraphs

/// A variant of a model that is faster than the published model and produces the same result.
package struct RewriteForm {
    /// Whether the model is cut into parts first. If so, `rewrite` applies to the last part.
    package var isCut = false
    /// The rewrite for the part between the first and the last part. If it throws, that part is used unchanged.
    package var rewriteMiddle: GraphEditor.Rewrite?
    /// The rewrite for the last part; `nil` if the cut is the only change.
    package var rewrite: GraphEditor.Rewrite?

    /// Whether convolutions use 8-bit integers.
    package var hasIntegers = false

    /// The maximum difference between samples of the rewritten and the published model; full scale is 1. The
    /// quantization step of 16-bit audio is a third of this value.
    package static let rounding: Float = 1e-4
    /// The maximum noise that an integer variant may add, relative to the audio. This limit is 14 dB below the audio;
    /// the noise of published voices is 23 to 29 dB below it.
    private static let maximumNoise: Float = 0.2

    /// Whether a variant may differ from the published model by `difference`.
    package func allows(_ difference: SoundDifference) -> Bool {
        hasIntegers ? difference.noise <= Self.maximumNoise : difference.largest <= Self.rounding
    }

    /// The possible variants, fastest first. Either all variants use integers, or none do.
    ///
    /// - Parameter size: Returns ONNX Runtime's block size on this processor, in channels. It is called only if a variant needs
    ///   the block size.
    package static func forms(
        _ kind: RewriteKind, hasIntegers: Bool, blockSize size: @escaping () -> Int?
    ) -> [RewriteForm] {
        let forms =
            switch kind {
            case .vits: vits(size, hasIntegers)
            case .styled: styled(size, hasIntegers)
            }
        return forms.filter { $0.hasIntegers == hasIntegers }
    }

    private static func block(_ size: () -> Int?, _ hasIntegers: Bool) throws -> Int {
        guard let block = size(), block == BlockedConvolution.block,
            !hasIntegers || BlockedConvolution.multipliesIntegers
        else { throw InferenceError.refused("this processor does not support convolutions in blocks of channels") }
        return block
    }

    static func vits(_ size: @escaping () -> Int?, _ hasIntegers: Bool) -> [RewriteForm] {
        let blocked = { (editor: inout GraphEditor) throws -> String in
            let block = try block(size, hasIntegers)
            try BlockedDecoder.apply(to: &editor, block: block, hasIntegers: hasIntegers)
            let others = try? BlockedConvolutions.apply(to: &editor, block: block)
            let blocks = Blocks(size: block, hasIntegers: hasIntegers)
            return ["the vocoder in \(blocks)", others?.description].compactMap(\.self).joined(separator: ", ")
        }
        let flow = { (editor: inout GraphEditor) throws -> String in
            "\(try BlockedConvolutions.apply(to: &editor, block: try block(size, false)))"
        }
        let phased = { (editor: inout GraphEditor) throws -> String in
            let count = try PhasedUpsampling.apply(to: &editor)
            return "\(count) upsampling\(count == 1 ? "" : "s") in phases"
        }
        return [
            RewriteForm(isCut: true, rewriteMiddle: flow, rewrite: blocked, hasIntegers: hasIntegers),
            RewriteForm(isCut: true, rewriteMiddle: flow, rewrite: phased),
            RewriteForm(isCut: true), RewriteForm(rewrite: blocked, hasIntegers: hasIntegers),
            RewriteForm(rewrite: phased),
        ]
    }

    static func styled(_ size: @escaping () -> Int?, _ hasIntegers: Bool) -> [RewriteForm] {
        // Folds norms and sines but keeps the model's convolution operators.
        let folded = { (editor: inout GraphEditor) throws -> String in
            let norms = try StyledNorms.apply(to: &editor)
            let sines = (try? FoldedSines.apply(to: &editor)) ?? 0
            return "\(norms) norms and \(sines) sines folded"
        }
        // Folds norms and sines, and reduces the number of multiplications in convolutions.
        let multiplied = { (editor: inout GraphEditor) throws -> String in
            let block = try block(size, hasIntegers)
            let folding = try folded(&editor)
            return "\(folding), \(try BlockedConvolutions.apply(to: &editor, block: block, hasIntegers: hasIntegers))"
        }
        return [RewriteForm(rewrite: multiplied, hasIntegers: hasIntegers), RewriteForm(rewrite: folded)]
    }
}

/// The difference between two audio signals of the same length.
package struct SoundDifference: Equatable {
    /// The largest difference, relative to full scale.
    package var largest: Float
    /// The square root of the ratio between the energy of the difference and the energy of the signal.
    package var noise: Float

    package init(largest: Float, noise: Float) { (self.largest, self.noise) = (largest, noise) }
}

/// The precision of a model's computations, chosen by the user.
public enum ModelPrecision: String, Sendable {
    /// Equivalent to `fast` if this machine is too slow for uninterrupted playback with `exact`; otherwise equivalent
    /// to `exact`.
    case automatic
    /// The same results as the published model, except for rounding.
    case exact
    /// Uses 8-bit integers where they are faster, which makes the audio slightly noisier than with `exact`.
    case fast

    /// The environment variable for the precision and an older variable that selects `exact` if its value is 1. The
    /// host sets both; the first takes precedence.
    static let (variable, exactVariable) = ("SYNTHHOST_PRECISION", "SYNTHHOST_EXACT")
    package static let variables = [variable, exactVariable]

    /// The precision of this process.
    public static var chosen: ModelPrecision { chosen { name in getenv(name).map { String(cString: $0) } } }

    package static func chosen(_ value: (_ variable: String) -> String?) -> ModelPrecision {
        value(variable).flatMap(ModelPrecision.init) ?? (value(exactVariable) == "1" ? .exact : .automatic)
    }
}

/// The part of a speech recognizer that a graph computes.
public enum RecognizerPart: Sendable {
    /// Computes features of the audio, once for each window.
    case encoder
    /// Adds a token to each of a few hypotheses per run.
    case decoder

    /// Identifies everything that determines the rewritten graph, apart from the model and ONNX Runtime. Increment a number
    /// when a rewrite produces a different graph.
    package var key: String {
        switch self {
        case .encoder: "encoder 1"
        case .decoder: "decoder 1"
        }
    }

    /// Rewrites an optimized graph, which then computes the same numbers except for rounding errors.
    package func rewrite(_ graph: inout ModelGraph) throws {
        switch self {
        case .encoder:
            var editor = GraphEditor(graph, weights: UnsafeRawBufferPointer(start: nil, count: 0))
            try FusedAttention.replace(in: &editor)
            graph = editor.graph
        case .decoder: try NarrowProduct.replaceProducts(in: &graph)
        }
    }
}

/// The structure that a rewrite looks for in a model, as specified by the engine. A model without that structure is not
/// changed.
public enum RewriteKind: Sendable {
    /// A vocoder at the end of the model, with upsampling and residual blocks, as in VITS.
    case vits
    /// A vocoder whose norms get their scale and bias from a style, as in StyleTTS 2.
    case styled

    /// Identifies everything that determines the rewritten variant, apart from the model, ONNX Runtime and the processor. (ONNX
    /// Runtime's block size follows from the latter two, so it is not part of the key.) Increment a number when a rewrite
    /// produces a different graph.
    package func key(_ precision: ModelPrecision) -> String {
        let block = BlockedConvolution.block ?? 0
        let numbers =
            switch precision {
            case .fast where BlockedConvolution.multipliesIntegers: " integers 1"
            case .automatic where BlockedConvolution.multipliesIntegers: " integers 1 if slow"
            case .automatic, .exact, .fast: ""
            }
        return switch self {
        case .vits: "vits 7 block \(block)\(numbers)"
        case .styled: "styled 6 block \(block)\(numbers)"
        }
    }
}
