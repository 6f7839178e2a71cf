extension RewriteForm {
    private static let mostRows = 8

    static func vits(_ runtime: InferenceRuntime, threads: Int) -> [RewriteForm] {
        let blocked = { (editor: inout GraphEditor) throws(RewriteRefusal) -> String in
            let block = try block(runtime)
            let rows = try BlockedDecoder.apply(to: &editor, block: block, rows: rows(threads))
            return "the vocoder in blocks of \(block) channels and \(rows) row\(rows == 1 ? "" : "s")"
        }
        let phased = { (editor: inout GraphEditor) throws(RewriteRefusal) -> String in
            let count = try PhasedUpsampling.apply(to: &editor)
            return "\(count) upsampling\(count == 1 ? "" : "s") in phases"
        }
        return [
            RewriteForm(isCut: true, rewrite: blocked), RewriteForm(isCut: true, rewrite: phased),
            RewriteForm(isCut: true), RewriteForm(rewrite: blocked), RewriteForm(rewrite: phased),
        ]
    }

    /// As many rows of time as there are threads for one run.
    static func rows(_ threads: Int) -> Int { min(max(threads, 1), mostRows) }
}
