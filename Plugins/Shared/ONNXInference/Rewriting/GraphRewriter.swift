import Glibc

/// Replaces the graph of a new entry of the cache by one that computes the same faster.
struct GraphRewriter {
    let kind: RewriteKind
    let runtime: InferenceRuntime
    /// Of one run.
    let threads: Int
    let check: RewriteCheck

    /// A variable of the environment that turns all rewriting off: for comparing, and for whoever mistrusts it.
    static let switchName = "SYNTHHOST_ORIGINAL_MODELS"
    static var isOff: Bool { getenv(switchName).map { String(cString: $0) } == "1" }

    /// A form that was tried.
    private struct Attempt {
        var description: String
        var cut: ModelCut?
        /// How much its samples differ from those of the original.
        var difference: Float
    }

    /// Rewrites the graph of an entry that holds the original one. If it does not end with `rewritten`, the entry still
    /// holds that.
    ///
    /// - Returns: Also where the graph was cut, if it is in two halves.
    /// - Throws: If the disk does not take it, which says nothing about the model.
    func rewrite(_ entry: GraphCache.Entry) throws(DiskFile.Failure) -> (outcome: RewriteOutcome, cut: ModelCut?) {
        let size = FileState(path: entry.weights)?.size ?? 0
        var failure: String?
        var refusals: [String] = []
        // Computed when the first form is there.
        var expected: [Float]?
        for form in RewriteForm.forms(kind, runtime, threads: threads) {
            do {
                let attempt = try attempt(form, entry, size, &expected)
                if attempt.difference <= RewriteCheck.tolerance {
                    try replace(entry, isCut: attempt.cut != nil)
                    return (RewriteOutcome(.rewritten, attempt.description), attempt.cut)
                }
                failure = failure ?? "\(attempt.description) changes samples by \(attempt.difference)"
            } catch let refusal as RewriteRefusal {
                if !refusals.contains(refusal.description) { refusals.append(refusal.description) }
            } catch let failure as DiskFile.Failure {
                restore(entry, size)
                throw failure
            } catch {
                failure = failure ?? "the rewritten model cannot be tried: \(error)"
            }
            restore(entry, size)
        }
        if let failure { return (RewriteOutcome(.failed, failure), nil) }
        return (RewriteOutcome(.unknown, refusals.isEmpty ? "nothing fits" : refusals.joined(separator: "; ")), nil)
    }

    private func attempt(
        _ form: RewriteForm, _ entry: GraphCache.Entry, _ size: UInt64, _ expected: inout [Float]?
    ) throws -> Attempt {
        let (description, cut) = try write(form, entry, size)
        let samples = try expected ?? check.samples(session(entry, entry.graph))
        expected = samples
        let rewritten = try session(entry, entry.rewritten, tail: cut.map { (entry.rewrittenTail, $0) })
        return Attempt(description: description, cut: cut, difference: try check.difference(samples, rewritten))
    }

    /// A session with fixed noise.
    private func session(
        _ entry: GraphCache.Entry, _ graph: String, tail: (path: String, cut: ModelCut)? = nil
    ) throws -> InferenceSession {
        defer { for file in [entry.seeded, entry.seededTail] { unlink(file) } }
        let isSeeded = try SeededNoise.copy(graph, to: entry.seeded)
        let isTailSeeded = try tail.map { try SeededNoise.copy($0.path, to: entry.seededTail) } ?? false
        return try InferenceSession(
            optimized: isSeeded ? entry.seeded : graph,
            tail: tail.map { (isTailSeeded ? entry.seededTail : $0.path, $0.cut) }, runtime, threads: threads)
    }

    /// Writes the rewritten graphs beside the original one, and their weights after the others.
    private func write(
        _ form: RewriteForm, _ entry: GraphCache.Entry, _ size: UInt64
    ) throws -> (description: String, cut: ModelCut?) {
        let graph = try MappedFile(entry.graph)
        guard size > 0 else {
            return try write(
                form, ModelGraph(graph.bytes), UnsafeRawBufferPointer(start: nil, count: 0), entry, size)
        }
        let weights = try MappedFile(entry.weights)
        return try write(form, ModelGraph(graph.bytes), weights.bytes, entry, size)
    }

    private func write(
        _ form: RewriteForm, _ graph: ModelGraph, _ weights: UnsafeRawBufferPointer, _ entry: GraphCache.Entry,
        _ size: UInt64
    ) throws -> (description: String, cut: ModelCut?) {
        var added = AddedWeights(location: GraphCache.Entry.weightsName, end: size)
        var editor = GraphEditor(graph, weights: weights)
        var cut: ModelCut?
        if form.isCut {
            let halves = try ModelCut.halves(of: editor, output: check.output)
            try DiskFile(writing: entry.rewritten).write(try halves.head.bytes(&added))
            editor = GraphEditor(halves.tail, weights: weights)
            cut = halves.cut
        }
        let description = try form.rewrite?(&editor)
        let file = form.isCut ? entry.rewrittenTail : entry.rewritten
        try DiskFile(writing: file).write(try editor.graph.bytes(&added))
        try DiskFile(appending: entry.weights).write(added.bytes)
        return ([cut.map { _ in "in two halves" }, description].compactMap(\.self).joined(separator: ", "), cut)
    }

    private func replace(_ entry: GraphCache.Entry, isCut: Bool) throws(DiskFile.Failure) {
        if isCut {
            guard rename(entry.rewrittenTail, entry.tail) == 0 else { throw DiskFile.Failure(code: errno) }
        }
        guard rename(entry.rewritten, entry.graph) == 0 else { throw DiskFile.Failure(code: errno) }
    }

    private func restore(_ entry: GraphCache.Entry, _ size: UInt64) {
        for file in [entry.rewritten, entry.rewrittenTail, entry.tail] { unlink(file) }
        truncate(entry.weights, off_t(size))
    }
}
