import ONNXGraphs

/// One way to compute the same as a model, faster.
package struct RewriteForm {
    /// Whether the model is cut into parts first; `rewrite` then gets the last one.
    package var isCut = false
    /// For the part between the first and the last one. It may refuse.
    package var rewriteMiddle: GraphEditor.Rewrite?
    /// `nil` if the cut is all.
    package var rewrite: GraphEditor.Rewrite?

    /// The fastest first.
    ///
    /// - Parameter size: how many channels the library puts into a block of its own layout here; asked for when a form needs it.
    package static func forms(_ kind: RewriteKind, blockSize size: @escaping () -> Int?) -> [RewriteForm] {
        switch kind {
        case .vits: vits(size)
        case .styled: styled(size)
        }
    }

    private static func block(_ size: () -> Int?) throws(GraphError) -> Int {
        guard let block = size(), block == BlockedConvolution.block else {
            throw .refused("there are no blocks of channels on this processor")
        }
        return block
    }

    static func vits(_ size: @escaping () -> Int?) -> [RewriteForm] {
        let blocked = { (editor: inout GraphEditor) throws(GraphError) -> String in
            let block = try block(size)
            try BlockedDecoder.apply(to: &editor, block: block)
            let others = try? BlockedConvolutions.apply(to: &editor, block: block)
            return ["the vocoder in blocks of \(block) channels", others?.description].compactMap(\.self)
                .joined(separator: ", ")
        }
        let flow = { (editor: inout GraphEditor) throws(GraphError) -> String in
            "\(try BlockedConvolutions.apply(to: &editor, block: try block(size)))"
        }
        let phased = { (editor: inout GraphEditor) throws(GraphError) -> String in
            let count = try PhasedUpsampling.apply(to: &editor)
            return "\(count) upsampling\(count == 1 ? "" : "s") in phases"
        }
        return [
            RewriteForm(isCut: true, rewriteMiddle: flow, rewrite: blocked),
            RewriteForm(isCut: true, rewriteMiddle: flow, rewrite: phased),
            RewriteForm(isCut: true), RewriteForm(rewrite: blocked), RewriteForm(rewrite: phased),
        ]
    }

    static func styled(_ size: @escaping () -> Int?) -> [RewriteForm] {
        // Only operators of ONNX itself are used.
        let folded = { (editor: inout GraphEditor) throws(GraphError) -> String in
            let norms = try StyledNorms.apply(to: &editor)
            let sines = (try? FoldedSines.apply(to: &editor)) ?? 0
            return "\(norms) norms and \(sines) sines folded"
        }
        // Norms and sines are folded, and convolutions need fewer multiplications.
        let multiplied = { (editor: inout GraphEditor) throws(GraphError) -> String in
            let block = try block(size)
            let folding = try folded(&editor)
            return "\(folding), \(try BlockedConvolutions.apply(to: &editor, block: block))"
        }
        return [RewriteForm(rewrite: multiplied), RewriteForm(rewrite: folded)]
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
    package var key: String {
        let block = BlockedConvolution.block ?? 0
        return switch self {
        case .vits: "vits 6 block \(block)"
        case .styled: "styled 5 block \(block)"
        }
    }
}
