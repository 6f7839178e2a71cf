extension RewriteForm {
    static func vits(_ runtime: InferenceRuntime) -> [RewriteForm] {
        let blocked = { (editor: inout GraphEditor) throws(RewriteRefusal) -> String in
            let block = try block(runtime)
            try BlockedDecoder.apply(to: &editor, block: block)
            let others = try? BlockedConvolutions.apply(to: &editor, block: block)
            return ["the vocoder in blocks of \(block) channels", others?.description].compactMap(\.self)
                .joined(separator: ", ")
        }
        let flow = { (editor: inout GraphEditor) throws(RewriteRefusal) -> String in
            "\(try BlockedConvolutions.apply(to: &editor, block: try block(runtime)))"
        }
        let phased = { (editor: inout GraphEditor) throws(RewriteRefusal) -> String in
            let count = try PhasedUpsampling.apply(to: &editor)
            return "\(count) upsampling\(count == 1 ? "" : "s") in phases"
        }
        return [
            RewriteForm(isCut: true, rewriteMiddle: flow, rewrite: blocked),
            RewriteForm(isCut: true, rewriteMiddle: flow, rewrite: phased),
            RewriteForm(isCut: true), RewriteForm(rewrite: blocked), RewriteForm(rewrite: phased),
        ]
    }
}
