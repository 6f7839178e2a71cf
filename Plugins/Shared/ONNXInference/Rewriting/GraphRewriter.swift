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
        var cuts: [ModelCut]
        /// How much its samples differ from those of the original.
        var difference: Float
    }

    /// Rewrites the graph of an entry that holds the original one. If it does not end with `rewritten`, the entry still
    /// holds that.
    ///
    /// - Returns: Also where the graph was cut, if it is in parts.
    /// - Throws: If the disk does not take it, which says nothing about the model.
    func rewrite(_ entry: GraphCache.Entry) throws(DiskFile.Failure) -> (outcome: RewriteOutcome, cuts: [ModelCut]) {
        let size = FileState(path: entry.weights)?.size ?? 0
        var failure: String?
        var refusals: [String] = []
        // Computed when the first form is there.
        var expected: [Float]?
        for form in RewriteForm.forms(kind, runtime) {
            do {
                let attempt = try attempt(form, entry, size, &expected)
                if attempt.difference <= RewriteCheck.tolerance {
                    try replace(entry, parts: attempt.cuts.count + 1)
                    return (RewriteOutcome(.rewritten, attempt.description), attempt.cuts)
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
        if let failure { return (RewriteOutcome(.failed, failure), []) }
        return (RewriteOutcome(.unknown, refusals.isEmpty ? "nothing fits" : refusals.joined(separator: "; ")), [])
    }

    private func attempt(
        _ form: RewriteForm, _ entry: GraphCache.Entry, _ size: UInt64, _ expected: inout [Float]?
    ) throws -> Attempt {
        let (description, cuts) = try write(form, entry, size)
        let samples = try expected ?? check.samples(session(entry, [entry.graph]))
        expected = samples
        let rewritten = try session(entry, (0...cuts.count).map(entry.rewritten(part:)), cutAt: cuts)
        return Attempt(description: description, cuts: cuts, difference: try check.difference(samples, rewritten))
    }

    /// A session with fixed noise.
    private func session(
        _ entry: GraphCache.Entry, _ graphs: [String], cutAt cuts: [ModelCut] = []
    ) throws -> InferenceSession {
        defer { for part in graphs.indices { unlink(entry.seeded(part: part)) } }
        let seeded = try graphs.enumerated().map { part, graph in
            try SeededNoise.copy(graph, to: entry.seeded(part: part)) ? entry.seeded(part: part) : graph
        }
        return try InferenceSession(optimized: seeded, cutAt: cuts, runtime, threads: threads)
    }

    /// Writes the rewritten graphs beside the original one, and their weights after the others.
    private func write(
        _ form: RewriteForm, _ entry: GraphCache.Entry, _ size: UInt64
    ) throws -> (description: String, cuts: [ModelCut]) {
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
    ) throws -> (description: String, cuts: [ModelCut]) {
        var added = AddedWeights(location: GraphCache.Entry.weightsName, end: size)
        var editor = GraphEditor(graph, weights: weights)
        var cuts: [ModelCut] = []
        var descriptions: [String] = []
        if form.isCut {
            let halves = try ModelCut.halves(of: editor, output: check.output)
            try DiskFile(writing: entry.rewritten(part: 0)).write(try halves.head.bytes(&added))
            editor = GraphEditor(halves.tail, weights: weights)
            cuts = [halves.cut]
            if let parts = try? ModelCut.vocoder(of: editor, halves.cut) {
                var middle = GraphEditor(parts.head, weights: weights)
                if let done = try? form.rewriteMiddle?(&middle) { descriptions.append(done) }
                try DiskFile(writing: entry.rewritten(part: 1)).write(try middle.graph.bytes(&added))
                editor = GraphEditor(parts.tail, weights: weights)
                cuts.append(parts.cut)
            }
        }
        if let done = try form.rewrite?(&editor) { descriptions.append(done) }
        try DiskFile(writing: entry.rewritten(part: cuts.count)).write(try editor.graph.bytes(&added))
        try DiskFile(appending: entry.weights).write(added.bytes)
        if !cuts.isEmpty { descriptions.insert("in \(cuts.count + 1) parts", at: 0) }
        return (descriptions.joined(separator: ", "), cuts)
    }

    private func replace(_ entry: GraphCache.Entry, parts: Int) throws(DiskFile.Failure) {
        // The first one is there already, and is whole until the others are there.
        for part in (0..<parts).reversed() {
            guard rename(entry.rewritten(part: part), entry.graph(part: part)) == 0 else {
                throw DiskFile.Failure(code: errno)
            }
        }
    }

    private func restore(_ entry: GraphCache.Entry, _ size: UInt64) {
        for part in 0...ModelCut.most {
            unlink(entry.rewritten(part: part))
            if part > 0 { unlink(entry.graph(part: part)) }
        }
        truncate(entry.weights, off_t(size))
    }
}
