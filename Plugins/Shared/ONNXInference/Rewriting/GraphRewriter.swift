import Glibc

/// Replaces the graph of a new entry of the cache by one that computes the same faster.
struct GraphRewriter {
    let kind: RewriteKind
    let runtime: InferenceRuntime
    /// Of one run.
    let threads: Int
    let check: RewriteCheck
    /// The model as it is published.
    let original: SessionStages

    /// A variable of the environment that turns all rewriting off: for comparing, and for whoever mistrusts it.
    static let switchName = "SYNTHHOST_ORIGINAL_MODELS"
    static var isOff: Bool { getenv(switchName).map { String(cString: $0) } == "1" }

    /// A form that was tried.
    private struct Attempt {
        var description: String
        var parts: ModelParts
        /// How much its samples differ from those of the original.
        var difference: Float
    }

    /// Rewrites the graph of an entry that holds the original one. If it does not end with `rewritten`, the entry still
    /// holds that.
    ///
    /// - Returns: Also how it lies in graphs.
    /// - Throws: If the disk does not take it, which says nothing about the model.
    func rewrite(_ entry: GraphCache.Entry) throws(DiskFile.Failure) -> (outcome: RewriteOutcome, parts: ModelParts) {
        let size = FileState(path: entry.weights)?.size ?? 0
        var failure: String?
        var refusals: [String] = []
        // Of the original, computed beside the first form.
        let expected = WorkResult { Result { try check.samples(session(entry)) } }
        defer { _ = expected.value }
        for form in RewriteForm.forms(kind, runtime) {
            do {
                let attempt = try attempt(form, entry, size, expected)
                if attempt.difference <= RewriteCheck.tolerance {
                    try replace(entry, attempt.parts)
                    return (RewriteOutcome(.rewritten, attempt.description), attempt.parts)
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
        if let failure { return (RewriteOutcome(.failed, failure), ModelParts()) }
        let reasons = refusals.isEmpty ? "nothing fits" : refusals.joined(separator: "; ")
        return (RewriteOutcome(.unknown, reasons), ModelParts())
    }

    private func attempt(
        _ form: RewriteForm, _ entry: GraphCache.Entry, _ size: UInt64,
        _ expected: WorkResult<Result<[Float], any Error>>
    ) throws -> Attempt {
        let (description, parts) = try write(form, entry, size)
        // The disk has time for it while the forms are compared.
        let synchronizing = WorkResult { try? DiskFile(reading: entry.weights).synchronize() }
        defer { synchronizing.value }
        // Opened while the original may still speak.
        let rewritten = try session(entry, (0..<parts.graphCount).map(entry.rewritten), parts)
        let samples = try expected.value.get()
        return Attempt(description: description, parts: parts, difference: try check.difference(samples, rewritten))
    }

    /// The model as it is published, to be compared with.
    private func session(_ entry: GraphCache.Entry) throws -> InferenceSession {
        if !check.isNoiseless { return try session(entry, [entry.whole], ModelParts(), isOriginal: true) }
        return try InferenceSession(InferenceSession.Made(stages: original), runtime, threads: threads, modelSize: 0)
    }

    /// A form of it, to be compared, with fixed noise.
    private func session(
        _ entry: GraphCache.Entry, _ graphs: [String], _ parts: ModelParts, isOriginal: Bool = false
    ) throws -> InferenceSession {
        // Both are opened at once.
        let first = isOriginal ? ModelParts.mostGraphs : 0
        defer { for number in graphs.indices { unlink(entry.seeded(first + number)) } }
        let seeded = try graphs.enumerated().map { number, graph in
            let copy = entry.seeded(first + number)
            return try !check.isNoiseless && SeededNoise.copy(graph, to: copy) ? copy : graph
        }
        return try InferenceSession(optimized: seeded, parts, runtime, threads: threads)
    }

    /// Writes the rewritten graphs beside the original one, and their weights after the others.
    private func write(
        _ form: RewriteForm, _ entry: GraphCache.Entry, _ size: UInt64
    ) throws -> (description: String, parts: ModelParts) {
        let graph = try MappedFile(entry.whole)
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
    ) throws -> (description: String, parts: ModelParts) {
        var added = AddedWeights(location: GraphCache.Entry.weightsName, end: size)
        var editor = GraphEditor(graph, weights: weights)
        var cuts: [ModelCut] = []
        var descriptions: [String] = []
        var graphs: [ModelGraph] = []
        if form.isCut {
            let halves = try ModelCut.halves(of: editor, output: check.output)
            graphs = [halves.head]
            editor = GraphEditor(halves.tail, weights: weights)
            cuts = [halves.cut]
            if let parts = try? ModelCut.vocoder(of: editor, halves.cut) {
                var middle = GraphEditor(parts.head, weights: weights)
                if let done = try? form.rewriteMiddle?(&middle) { descriptions.append(done) }
                graphs.append(middle.graph)
                editor = GraphEditor(parts.tail, weights: weights)
                cuts.append(parts.cut)
            }
        }
        if let done = try form.rewrite?(&editor) { descriptions.append(done) }
        graphs.append(editor.graph)
        let stages = GraphStages(graphs[0])
        graphs.replaceSubrange(0..<1, with: stages.graphs)
        for (number, graph) in graphs.enumerated() {
            try DiskFile(writing: entry.rewritten(number)).write(try graph.bytes(&added))
        }
        try added.write(to: entry.weights, threads: threads)
        let parts = ModelParts(split: stages.split, cuts: cuts)
        if let note = parts.note { descriptions.insert(note, at: 0) }
        return (descriptions.joined(separator: ", "), parts)
    }

    private func replace(_ entry: GraphCache.Entry, _ parts: ModelParts) throws(DiskFile.Failure) {
        // The first one is there already, and is whole until the others are there.
        for number in (0..<parts.graphCount).reversed() {
            guard rename(entry.rewritten(number), entry.graph(number)) == 0 else {
                throw DiskFile.Failure(code: errno)
            }
        }
    }

    private func restore(_ entry: GraphCache.Entry, _ size: UInt64) {
        for number in 0..<ModelParts.mostGraphs {
            unlink(entry.rewritten(number))
            if number > 0 { unlink(entry.graph(number)) }
        }
        truncate(entry.weights, off_t(size))
    }
}
