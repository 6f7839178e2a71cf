import Glibc

/// Replaces the graph of a new entry of the cache by one that computes the same faster.
struct GraphRewriter {
    /// Increase it when a rewrite gives another graph than before.
    private static let version = 1
    private static let mostRows = 8

    let runtime: InferenceRuntime
    /// Of one run.
    let threads: Int
    let check: RewriteCheck

    /// A variable of the environment that turns all rewriting off: for comparing, and for whoever mistrusts it.
    static var isOff: Bool { getenv("SYNTHHOST_ORIGINAL_MODELS").map { String(cString: $0) } == "1" }

    /// What the rewritten form of a model depends on beside the model, the library and the processor.
    static func key(_ runtime: InferenceRuntime, threads: Int) -> String {
        "rewriting \(version) block \(BlockSize.probe(runtime) ?? 0) rows \(rows(threads))"
    }

    private static func rows(_ threads: Int) -> Int { min(max(threads, 1), mostRows) }

    /// Rewrites the graph of an entry that holds the original one. If it does not end with `rewritten`, the entry still
    /// holds that.
    func rewrite(_ entry: GraphCache.Entry) -> RewriteOutcome {
        var reasons: [RewriteOutcome] = []
        for rewrite in [blocked, phased] {
            do throws(RewriteRefusal) {
                let (description, isSame) = try attempt(entry, rewrite)
                if isSame { return RewriteOutcome(.rewritten, description) }
                reasons.append(RewriteOutcome(.failed, description))
            } catch {
                reasons.append(RewriteOutcome(.unknown, error.description))
            }
        }
        return reasons.first { $0.kind == .failed } ?? reasons.first ?? RewriteOutcome(.unknown, "nothing fits")
    }

    private func blocked(_ editor: inout GraphEditor) throws(RewriteRefusal) -> String {
        guard let block = BlockSize.probe(runtime) else {
            throw RewriteRefusal("ONNX Runtime has no blocks of channels on this processor")
        }
        let rows = try BlockedDecoder.apply(to: &editor, block: block, rows: Self.rows(threads))
        return "the vocoder in blocks of \(block) channels and \(rows) row\(rows == 1 ? "" : "s")"
    }

    private func phased(_ editor: inout GraphEditor) throws(RewriteRefusal) -> String {
        let count = try PhasedUpsampling.apply(to: &editor)
        return "\(count) upsampling\(count == 1 ? "" : "s") in phases"
    }

    /// Whether the rewritten graph gives the same samples; if so, it replaces the original one.
    private func attempt(
        _ entry: GraphCache.Entry, _ rewrite: (inout GraphEditor) throws(RewriteRefusal) -> String
    ) throws(RewriteRefusal) -> (description: String, isSame: Bool) {
        let size = FileState(path: entry.weights)?.size ?? 0
        do {
            let description = try write(entry, size, rewrite)
            let expected = try check.samples(InferenceSession(optimized: entry.graph, runtime, threads: threads))
            let found = try check.samples(InferenceSession(optimized: entry.rewritten, runtime, threads: threads))
            let difference = RewriteCheck.difference(expected, found)
            guard difference <= RewriteCheck.tolerance else {
                restore(entry, size)
                return ("\(description) changes samples by \(difference)", false)
            }
            guard rename(entry.rewritten, entry.graph) == 0 else { throw DiskFile.Failure(code: errno) }
            return (description, true)
        } catch let refusal as RewriteRefusal {
            throw refusal
        } catch {
            restore(entry, size)
            return ("the rewritten model cannot be tried: \(error)", false)
        }
    }

    /// Writes the rewritten graph beside the original one, and its weights after the others.
    private func write(
        _ entry: GraphCache.Entry, _ size: UInt64, _ rewrite: (inout GraphEditor) throws(RewriteRefusal) -> String
    ) throws -> String {
        let graph = try MappedFile(entry.graph)
        var added = AddedWeights(location: GraphCache.Entry.weightsName, end: size)
        var description = ""
        func change(_ weights: UnsafeRawBufferPointer) throws -> [UInt8] {
            var editor = GraphEditor(try ModelGraph(graph.bytes), weights: weights)
            description = try rewrite(&editor)
            return try editor.graph.bytes(&added)
        }
        let bytes: [UInt8]
        if size > 0 {
            let weights = try MappedFile(entry.weights)
            bytes = try change(weights.bytes)
        } else {
            bytes = try change(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        try DiskFile(writing: entry.rewritten).write(bytes)
        try DiskFile(appending: entry.weights).write(added.bytes)
        return description
    }

    private func restore(_ entry: GraphCache.Entry, _ size: UInt64) {
        unlink(entry.rewritten)
        truncate(entry.weights, off_t(size))
    }
}
