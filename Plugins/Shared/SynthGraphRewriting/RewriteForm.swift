import Glibc
import SynthGraphs

/// One way to compute the same as a model, faster.
package struct RewriteForm {
    /// Whether the model is cut into parts first; `rewrite` then gets the last one.
    package var isCut = false
    /// For the part between the first and the last one. It may refuse.
    package var rewriteMiddle: GraphEditor.Rewrite?
    /// `nil` if the cut is all.
    package var rewrite: GraphEditor.Rewrite?

    /// Whether convolutions round numbers to eight bits.
    package var hasIntegers = false

    /// Of full scale, which is 1: how much samples may differ from those of the model as it was published. A step of 16-bit sound
    /// is a third of it.
    package static let rounding: Float = 1e-4
    /// Of what sounds: the noise that a form with integers may have, 14 dB. Published voices have 23 to 29 dB.
    private static let mostNoise: Float = 0.2

    /// Whether a sound that it made may differ so much.
    package func allows(_ difference: SoundDifference) -> Bool {
        hasIntegers ? difference.noise <= Self.mostNoise : difference.largest <= Self.rounding
    }

    /// The fastest first, without those that have integers or only those.
    ///
    /// - Parameter size: how many channels the library puts into a block of its own layout here; asked for when a form needs it.
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
        else { throw InferenceError.refused("there are no blocks of channels on this processor") }
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
        // Only operators of ONNX itself are used.
        let folded = { (editor: inout GraphEditor) throws -> String in
            let norms = try StyledNorms.apply(to: &editor)
            let sines = (try? FoldedSines.apply(to: &editor)) ?? 0
            return "\(norms) norms and \(sines) sines folded"
        }
        // Norms and sines are folded, and convolutions need fewer multiplications.
        let multiplied = { (editor: inout GraphEditor) throws -> String in
            let block = try block(size, hasIntegers)
            let folding = try folded(&editor)
            return "\(folding), \(try BlockedConvolutions.apply(to: &editor, block: block, hasIntegers: hasIntegers))"
        }
        return [RewriteForm(rewrite: multiplied, hasIntegers: hasIntegers), RewriteForm(rewrite: folded)]
    }
}

/// How much one sound differs from another of the same length.
package struct SoundDifference: Equatable {
    /// Of full scale.
    package var largest: Float
    /// The root of the difference's energy, as a share of the other's.
    package var noise: Float

    package init(largest: Float, noise: Float) { (self.largest, self.noise) = (largest, noise) }
}

/// How exactly a model computes; the user chooses.
public enum ModelPrecision: String, Sendable {
    /// Exactly, unless this machine then takes longer for speech than it sounds.
    case automatic
    /// As the published one, but for rounding.
    case exact
    /// With integers of eight bits where that is quicker. The sound has a little more noise.
    case fast

    /// A variable of the environment with it, and one that means `exact` if it is 1. The host sets them; the first counts first.
    static let (variable, exactVariable) = ("SYNTHHOST_PRECISION", "SYNTHHOST_EXACT")
    package static let variables = [variable, exactVariable]

    /// That of this process.
    public static var chosen: ModelPrecision { chosen { name in getenv(name).map { String(cString: $0) } } }

    package static func chosen(_ value: (_ variable: String) -> String?) -> ModelPrecision {
        value(variable).flatMap(ModelPrecision.init) ?? (value(exactVariable) == "1" ? .exact : .automatic)
    }
}

/// What a rewrite looks for in a model. The engine names it; a model without it stays as it is.
public enum RewriteKind: Sendable {
    /// A vocoder of upsamplings and residual blocks at the end, as in VITS.
    case vits
    /// A vocoder whose norms take their scale and bias from a style, as in StyleTTS 2.
    case styled

    /// What the rewritten form depends on beside the model, the library and the processor, which also say how the library's
    /// own blocks are: finding that out would take longer. A number is increased when a rewrite gives another graph than
    /// before.
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
