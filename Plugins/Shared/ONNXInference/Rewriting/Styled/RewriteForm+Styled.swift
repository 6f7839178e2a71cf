extension RewriteForm {
    static func styled(_ runtime: InferenceRuntime) -> [RewriteForm] {
        // Only operators of ONNX itself are used.
        let folded = { (editor: inout GraphEditor) throws(RewriteRefusal) -> String in
            let norms = try StyledNorms.apply(to: &editor)
            let sines = (try? FoldedSines.apply(to: &editor)) ?? 0
            return "\(norms) norms and \(sines) sines folded"
        }
        // Norms and sines are folded, and convolutions need fewer multiplications.
        let multiplied = { (editor: inout GraphEditor) throws(RewriteRefusal) -> String in
            let block = try block(runtime)
            let folding = try folded(&editor)
            return "\(folding), \(try BlockedConvolutions.apply(to: &editor, block: block))"
        }
        return [RewriteForm(rewrite: multiplied), RewriteForm(rewrite: folded)]
    }
}
