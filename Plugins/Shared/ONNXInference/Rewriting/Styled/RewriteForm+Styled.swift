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
            let convolutions = try ConvolutionProducts.apply(to: &editor, block: block)
            let upsamplings = (try? BlockedUpsampling.apply(to: &editor, block: block)) ?? 0
            return
                "\(folding), \(convolutions) convolutions and \(upsamplings) upsamplings in blocks of \(block) channels"
        }
        return [RewriteForm(rewrite: multiplied), RewriteForm(rewrite: folded)]
    }
}
