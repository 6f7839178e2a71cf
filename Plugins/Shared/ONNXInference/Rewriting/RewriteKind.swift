/// What a rewrite looks for in a model. The engine names it; a model without it stays as it is.
public enum RewriteKind: Sendable {
    /// A vocoder of upsamplings and residual blocks at the end, as in VITS.
    case vits
    /// A vocoder whose norms take their scale and bias from a style, as in StyleTTS 2.
    case styled

    /// What the rewritten form depends on beside the model, the library and the processor. A number is increased when a
    /// rewrite gives another graph than before.
    func key(_ runtime: InferenceRuntime) -> String {
        let block = runtime.blockSize ?? 0
        return switch self {
        case .vits: "vits 4 block \(block)"
        case .styled: "styled 3 block \(block)"
        }
    }
}
