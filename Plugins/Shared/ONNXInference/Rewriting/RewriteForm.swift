/// One way to compute the same as a model, faster.
struct RewriteForm {
    /// Changes a graph and says what it did.
    typealias Rewrite = (inout GraphEditor) throws(RewriteRefusal) -> String

    /// Whether the model is cut into parts first; `rewrite` then gets the last one.
    var isCut = false
    /// For the part between the first and the last one. It may refuse.
    var rewriteMiddle: Rewrite?
    /// `nil` if the cut is all.
    var rewrite: Rewrite?

    /// The fastest first.
    static func forms(_ kind: RewriteKind, _ runtime: InferenceRuntime) -> [RewriteForm] {
        switch kind {
        case .vits: vits(runtime)
        case .styled: styled(runtime)
        }
    }

    static func block(_ runtime: InferenceRuntime) throws(RewriteRefusal) -> Int {
        guard let block = runtime.blockSize, block == BlockedConvolution.block else {
            throw RewriteRefusal("there are no blocks of channels on this processor")
        }
        return block
    }
}
