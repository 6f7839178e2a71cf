public import SynthGraphRewriting
public import SynthGraphs
import SynthONNXRuntime

extension InferenceSession {
    /// Creates a session from a model file, which takes a few milliseconds to several seconds.
    ///
    /// - Parameters:
    ///   - exposing: An operation, such as `Ceil`. If exactly one node of the graph has this operation, its output becomes a
    ///     session output, named by `exposed`.
    ///   - threads: The number of CPU threads per run, at least 1.
    ///   - cacheDirectory: An existing folder for optimized models; `nil` disables the cache. A model's first session
    ///     writes an entry, and later sessions load it in a fraction of the time. An entry is about as large as the
    ///     model, or up to 75% larger after a rewrite. If the cache is damaged or read-only, loading takes longer but
    ///     does not fail.
    ///   - kind: The structure that a rewrite looks for. If it is found, a faster variant that produces the same result
    ///     is cached. `nil` disables the rewrite. A model's first session creates that variant if `rewrite` is called,
    ///     but still runs the original. `SYNTHHOST_ORIGINAL_MODELS=1` in the environment also disables the rewrite.
    ///   - precision: The precision of the cached variant.
    ///   - part: The part of a recognizer that the model computes; `nil` for other models. The cached variant is rewritten
    ///     for this part. A decoder's constant expressions are not computed in advance, because each branch of the graph
    ///     would store its own copy of the transposed table of tokens.
    public convenience init(
        model path: String, exposing operation: String? = nil, threads: Int, cacheDirectory: String? = nil,
        rewrittenAs kind: RewriteKind? = nil, precision: ModelPrecision = .chosen, of part: RecognizerPart? = nil
    ) throws(InferenceError) {
        let runtime = try KernelDomain.runtime
        let modelSize = FileState(path: path)?.size ?? 0
        guard let cacheDirectory else {
            let made = try Self.optimize(path, operation, runtime, threads, part, saving: nil)
            try self.init(made, runtime, threads: threads, modelSize: modelSize)
            return
        }
        let kind = GraphRewriter.isOff ? nil : kind
        let key = try CacheKey(
            model: path, exposing: operation,
            rewriting: kind?.key(precision) ?? part.flatMap(GraphRewriter.key),
            runtimeVersion: runtime.version)
        let place = CacheLocation(
            cache: GraphCache(folder: cacheDirectory), key: key, kind: kind, part: part, precision: precision,
            modelSize: modelSize)
        place.cache.removeAbandoned()
        if let cached = Self.open(place, runtime, threads) {
            try self.init(cached, runtime, threads: threads, modelSize: modelSize)
        } else {
            let saving = place.cache.begin(key).map { (place, $0) }
            let made = try Self.optimize(path, operation, runtime, threads, part, saving: saving)
            try self.init(made, runtime, threads: threads, modelSize: modelSize)
        }
    }

    /// Creates a session from optimized graph files, without further optimization.
    ///
    /// - Parameter paths: One path per graph of `parts`.
    convenience init(
        optimized paths: [String], _ parts: ModelParts, _ runtime: InferenceRuntime, threads: Int
    ) throws(InferenceError) {
        let stages = try SessionStages.open(paths, parts, runtime, threads: threads, spins: parts.spins)
        let made = try Self.chain(parts.cuts, runtime, threads, modelSize: 0) { Opened(stages: stages[$0]) }
        try self.init(made, runtime, threads: threads, modelSize: 0)
    }

    /// Creates a single-threaded session from a model in memory.
    convenience init(bytes: [UInt8], _ runtime: InferenceRuntime) throws(InferenceError) {
        let options = try SessionOptions.make(runtime, threads: 1)
        try options.useGraphAsItIs()
        let session = try bytes.withUnsafeBytes { bytes in
            Result { () throws(InferenceError) in try OpenSession(bytes, options, runtime) }
        }.get()
        try self.init(Opened(stages: SessionStages([session], runtime)), runtime, threads: 1, modelSize: 0)
    }

    struct Opened {
        var stages: SessionStages
        var exposed: String?
        /// The names of the outputs that contain the published model's noise.
        var noise: [String] = []
        /// The outcome of the conversion to floats; `nil` if the model contains only floats.
        var floats: FloatForm.Outcome?
        var isFromCache = false
        var place: CacheLocation?
        var cacheWork: CacheWork?
        var rewriting: RewriteOutcome?
        var tail: InferenceTail?
        var runs = RunCount()
        var makeConcurrent: @Sendable () -> SessionStages? = { nil }
    }

    /// The cache location of a model's optimized variant.
    struct CacheLocation: Sendable {
        var cache: GraphCache
        var key: CacheKey
        /// The structure that a rewrite looks for; `nil` without a rewrite.
        var kind: RewriteKind?
        var part: RecognizerPart?
        var precision: ModelPrecision
        /// The size of the published model in bytes.
        var modelSize: UInt64

        /// Opens another session for a part of the entry, unless the entry has changed.
        func another(
            _ index: Int, of record: CacheRecord, _ runtime: InferenceRuntime, threads: Int
        ) -> @Sendable () -> SessionStages? {
            { [cache, key, part] in
                guard let found = cache.find(key), found.record == record else { return nil }
                let paths = record.parts.graphs[index].map(found.entry.graph)
                return try? SessionStages.open(
                    paths, record.parts.alone(index), runtime, threads: max(1, threads / 2),
                    spins: record.parts.spins && part.spins
                ).first
            }
        }
    }

    /// Opens a session from the cache. Returns `nil` if the entry is missing, invalid or unusable; the caller must then
    /// rebuild it.
    static func open(_ place: CacheLocation, _ runtime: InferenceRuntime, _ threads: Int) -> Opened? {
        guard let (entry, record) = place.cache.find(place.key) else { return nil }
        let paths = (0..<record.parts.graphCount).map(entry.graph)
        guard
            let stages = try? SessionStages.open(
                paths, record.parts, runtime, threads: threads, spins: record.parts.spins && place.part.spins),
            zip(record.parts.cuts, stages.dropFirst()).allSatisfy({ $0.inputs == Set($1.inputs.map(\.name)) })
        else { return nil }
        let runs = RunCount()
        let first = try? chain(record.parts.cuts, runtime, threads, modelSize: place.modelSize) { part in
            Opened(
                stages: stages[part], isFromCache: true, runs: runs,
                makeConcurrent: place.another(part, of: record, runtime, threads: threads))
        }
        guard var made = first else { return nil }
        (made.exposed, made.place, made.rewriting) = (record.exposed, place, record.rewriting)
        return made
    }

    /// Creates a session for the model's first part and attaches the following parts to it.
    ///
    /// - Parameter make: Creates a session for one part without the parts after it.
    static func chain(
        _ cuts: [ModelCut], _ runtime: InferenceRuntime, _ threads: Int, modelSize: UInt64,
        _ make: (_ part: Int) -> Opened
    ) throws(InferenceError) -> Opened {
        var made = make(cuts.count)
        for (part, cut) in cuts.enumerated().reversed() {
            let later = try InferenceSession(made, runtime, threads: threads, modelSize: modelSize)
            made = make(part)
            made.tail = InferenceTail(cut, later)
        }
        return made
    }

    /// Creates a session from the model file. If `saving` is not nil, ONNX Runtime also writes the optimized model to
    /// that entry.
    static func optimize(
        _ path: String, _ operation: String?, _ runtime: InferenceRuntime, _ threads: Int, _ part: RecognizerPart?,
        saving: (place: CacheLocation, entry: GraphCache.Entry)?
    ) throws(InferenceError) -> Opened {
        do {
            let isToBeRewritten = saving?.place.kind != nil
            let exposedOutputs = try exposedOutputs(path, operation, noise: isToBeRewritten)
            let options = try SessionOptions.make(runtime, threads: threads, spins: part.spins)
            try options.optimize(savingTo: saving?.entry, foldsConstants: part != .decoder)
            let (session, floats) = try open(
                path, exposedOutputs, options, runtime, floatsIn: isToBeRewritten ? saving?.entry : nil)
            let work = saving.map { place, entry in
                CacheWork(
                    place.cache, place.key, entry, exposing: exposedOutputs, isToBeRewritten: isToBeRewritten,
                    of: GraphRewriter.isOff ? nil : part)
            }
            let outputs = session.outputs.map(\.name).filter { !exposedOutputs.forNow.contains($0) }
            return Opened(
                stages: SessionStages([session], outputs: outputs, runtime), exposed: exposedOutputs.lasting,
                noise: exposedOutputs.noise, floats: floats, place: saving?.place, cacheWork: work)
        } catch {
            guard let saving else { throw error }
            // The cause may be a full disk, which is indistinguishable from other failures, so retry without saving.
            saving.place.cache.remove(saving.entry)
            return try optimize(path, operation, runtime, threads, part, saving: nil)
        }
    }

    /// Opens a model file, or a float version of it if the numbers in the file need conversion.
    private static func open(
        _ path: String, _ exposedOutputs: ExposedOutputs, _ options: borrowing SessionOptions,
        _ runtime: InferenceRuntime,
        floatsIn entry: GraphCache.Entry?
    ) throws(InferenceError) -> (session: OpenSession, floats: FloatForm.Outcome?) {
        var outcome: FloatForm.Outcome?
        do {
            if let entry, let form = try FloatForm(of: path, exposing: exposedOutputs.outputs, in: entry) {
                defer { form.remove() }
                return (try OpenSession(form.path, options, runtime), .read(form.description))
            }
        } catch {
            // A model that cannot be converted, or whose float version cannot be written, is run as published.
            outcome = .refused("\(error)")
        }
        var file = try MappedFile(path, appendix: exposedOutputs.outputs.flatMap { ModelGraph.appendix(exposing: $0) })
        // If the file is no longer readable, ONNX Runtime reports the error.
        file.overwrite((try? DeclaredShapes.keys(in: file.bytes)) ?? [], with: DeclaredShapes.unknownKey)
        return (try OpenSession(file.bytes, options, runtime), outcome)
    }

    private static func exposedOutputs(
        _ path: String, _ operation: String?, noise: Bool
    ) throws(InferenceError) -> ExposedOutputs {
        let file = try MappedFile(path)
        guard let graph = try? ModelGraph(file.bytes), !graph.outputs.isEmpty else {
            throw InferenceError(.model, "the file is not an ONNX model, or it is truncated")
        }
        return ExposedOutputs(of: graph, operation, noise: noise)
    }
}

extension RecognizerPart? {
    /// Whether threads spin while they wait for the next node. Between the short nodes of a decoder, spinning would use
    /// a tenth of the CPU time without making the decoder faster.
    fileprivate var spins: Bool { self != .decoder }
}
