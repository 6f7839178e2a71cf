/// One way to compute the same as a model, faster.
struct RewriteForm {
    /// Whether the model is cut into two halves first; `rewrite` then gets the second one.
    var isCut: Bool
    /// Changes a graph and says what it did; `nil` if the cut is all.
    var rewrite: ((inout GraphEditor) throws(RewriteRefusal) -> String)?
}

extension RewriteForm {
    private static let mostRows = 8

    /// Those of VITS voices, the fastest first.
    static func forms(_ runtime: InferenceRuntime, threads: Int) -> [RewriteForm] {
        let blocked = { (editor: inout GraphEditor) throws(RewriteRefusal) -> String in
            guard let block = BlockSize.probe(runtime) else {
                throw RewriteRefusal("ONNX Runtime has no blocks of channels on this processor")
            }
            let rows = try BlockedDecoder.apply(to: &editor, block: block, rows: rows(threads))
            return "the vocoder in blocks of \(block) channels and \(rows) row\(rows == 1 ? "" : "s")"
        }
        let phased = { (editor: inout GraphEditor) throws(RewriteRefusal) -> String in
            let count = try PhasedUpsampling.apply(to: &editor)
            return "\(count) upsampling\(count == 1 ? "" : "s") in phases"
        }
        return [
            RewriteForm(isCut: true, rewrite: blocked), RewriteForm(isCut: true, rewrite: phased),
            RewriteForm(isCut: true, rewrite: nil), RewriteForm(isCut: false, rewrite: blocked),
            RewriteForm(isCut: false, rewrite: phased),
        ]
    }

    /// As many rows of time as there are threads for one run.
    static func rows(_ threads: Int) -> Int { min(max(threads, 1), mostRows) }
}
