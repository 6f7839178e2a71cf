/// One way to compute the same as a model, faster.
struct RewriteForm {
    /// Whether the model is cut into two halves first; `rewrite` then gets the second one.
    var isCut = false
    /// Changes a graph and says what it did; `nil` if the cut is all.
    var rewrite: ((inout GraphEditor) throws(RewriteRefusal) -> String)?

    /// The fastest first.
    static func forms(_ kind: RewriteKind, _ runtime: InferenceRuntime, threads: Int) -> [RewriteForm] {
        switch kind {
        case .vits: vits(runtime, threads: threads)
        case .styled: styled(runtime)
        }
    }

    static func block(_ runtime: InferenceRuntime) throws(RewriteRefusal) -> Int {
        guard let block = runtime.blockSize else {
            throw RewriteRefusal("ONNX Runtime has no blocks of channels on this processor")
        }
        return block
    }
}
