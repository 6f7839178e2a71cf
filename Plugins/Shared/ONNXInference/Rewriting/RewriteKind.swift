/// What a rewrite looks for in a model. The engine names it; a model without it stays as it is.
public enum RewriteKind: Sendable {
    /// A vocoder of upsamplings and residual blocks at the end, as in VITS.
    case vits
    /// A vocoder whose norms take their scale and bias from a style, as in StyleTTS 2.
    case styled

    /// What the rewritten form depends on beside the model, the library and the processor, which also say how the library's
    /// own blocks are: finding that out would take longer. A number is increased when a rewrite gives another graph than
    /// before.
    var key: String {
        let block = BlockedConvolution.block ?? 0
        return switch self {
        case .vits: "vits 6 block \(block)"
        case .styled: "styled 5 block \(block)"
        }
    }
}
