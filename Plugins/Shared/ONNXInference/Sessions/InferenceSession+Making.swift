import CONNXRuntime
import Dispatch
import Synchronization

extension InferenceSession {
    struct Made {
        var session: OpaquePointer
        var exposed: String?
        var isFromCache = false
        var place: CachePlace?
        var cacheWork: CacheWork?
        var rewriting: RewriteOutcome?
        var tail: InferenceTail?
        var runs = RunCount()
        var makeConcurrent: @Sendable () -> OpaquePointer? = { nil }
    }

    /// Where the form of a model is in the cache.
    struct CachePlace: Sendable {
        var cache: GraphCache
        var key: CacheKey
        /// What is looked for in the model to rewrite it; `nil` if it stays as it is.
        var kind: RewriteKind?
        /// Of the published model, in bytes.
        var modelSize: UInt64

        /// Opens another session of a file of the entry, unless the entry is no longer the same.
        func another(
            _ file: @escaping @Sendable (GraphCache.Entry) -> String, of record: CacheRecord,
            _ runtime: InferenceRuntime, threads: Int
        ) -> @Sendable () -> OpaquePointer? {
            { [cache, key] in
                guard let found = cache.find(key), found.record == record else { return nil }
                return try? InferenceSession.open(file(found.entry), runtime, max(1, threads / 2))
            }
        }
    }

    /// A graph that was optimized before.
    static func open(
        _ path: String, _ runtime: InferenceRuntime, _ threads: Int
    ) throws(InferenceError) -> OpaquePointer {
        let options = try SessionOptions.make(runtime, threads: threads)
        try options.useGraphAsItIs()
        var session: OpaquePointer?
        try runtime.check(runtime.api.CreateSession(runtime.environment, path, options.handle, &session), .model)
        guard let session else { throw InferenceError(.model, "ONNX Runtime makes no session of it") }
        return session
    }

    /// A session from the cache; `nil` if the cache has no valid entry.
    static func open(_ place: CachePlace, _ runtime: InferenceRuntime, _ threads: Int) -> Made? {
        guard let (entry, record) = place.cache.find(place.key) else { return nil }
        return open(0, of: entry, record, among: RunCount(), place, runtime, threads)
    }

    /// A part of a model, with those after it.
    private static func open(
        _ part: Int, of entry: GraphCache.Entry, _ record: CacheRecord, among runs: RunCount, _ place: CachePlace,
        _ runtime: InferenceRuntime, _ threads: Int
    ) -> Made? {
        let rest = Mutex<InferenceSession?>(nil)
        let opening = DispatchGroup()
        let openRest: @Sendable () -> Void = {
            guard let made = open(part + 1, of: entry, record, among: runs, place, runtime, threads) else { return }
            let opened = try? InferenceSession(made, runtime, threads: threads, modelSize: place.modelSize)
            rest.withLock { $0 = opened }
        }
        let cut = part < record.cuts.count ? record.cuts[part] : nil
        // The parts are opened side by side, because each takes a tenth of a second on a slow machine.
        let isBeside = cut != nil && WorkThread.start(in: opening, openRest)
        let session = try? open(entry.graph(part: part), runtime, threads)
        if cut != nil, !isBeside { openRest() }
        opening.wait()
        // An entry that cannot be used is made anew.
        guard let session else { return nil }
        var made = Made(
            session: session, isFromCache: true, runs: runs,
            makeConcurrent: place.another({ $0.graph(part: part) }, of: record, runtime, threads: threads))
        if part == 0 { (made.exposed, made.place, made.rewriting) = (record.exposed, place, record.rewriting) }
        if let cut {
            guard let rest = rest.withLock({ $0 }) else {
                runtime.api.ReleaseSession(session)
                return nil
            }
            made.tail = InferenceTail(cut, rest)
        }
        return made
    }

    /// A session from the model file. The library also writes the optimized model into the entry `saving`.
    static func optimize(
        _ path: String, _ operation: String?, _ runtime: InferenceRuntime, _ threads: Int,
        saving: (place: CachePlace, entry: GraphCache.Entry)?
    ) throws(InferenceError) -> Made {
        do throws(InferenceError) {
            let exposed = try inner(path, operation)
            let file = try MappedFile(path, appendix: exposed.map { ModelGraph.appendix(exposing: $0) } ?? [])
            let options = try SessionOptions.make(runtime, threads: threads)
            try options.optimize(savingTo: saving?.entry)
            var session: OpaquePointer?
            try runtime.check(
                runtime.api.CreateSessionFromArray(
                    runtime.environment, file.bytes.baseAddress, file.bytes.count, options.handle, &session),
                .model)
            guard let session else { throw InferenceError(.model, "ONNX Runtime makes no session of it") }
            let work = saving.map { place, entry in
                CacheWork(
                    place.cache, place.key, entry, exposed: exposed, isToBeRewritten: place.kind != nil)
            }
            return Made(session: session, exposed: exposed, place: saving?.place, cacheWork: work)
        } catch {
            guard let saving else { throw error }
            // The cause may be a full disk, which cannot be told from other failures here, so it is tried without
            // saving.
            saving.place.cache.remove(saving.entry)
            return try optimize(path, operation, runtime, threads, saving: nil)
        }
    }

    /// The tensor to expose; `nil` if the model already returns it.
    private static func inner(_ path: String, _ operation: String?) throws(InferenceError) -> String? {
        let file = try MappedFile(path)
        do throws(ProtobufError) {
            let graph = try ModelGraph(file.bytes)
            let outputs = graph.outputs.map(\.name)
            guard !outputs.isEmpty else { throw ProtobufError(offset: 0) }
            guard let operation, let tensor = graph.output(ofOnly: operation), !outputs.contains(tensor) else {
                return nil
            }
            return tensor
        } catch {
            throw InferenceError(.model, "the file is no ONNX model, or only a part of one")
        }
    }

    enum Side {
        case inputs, outputs
    }

    static func describe(
        _ runtime: InferenceRuntime, _ session: OpaquePointer, _ side: Side
    ) throws(InferenceError) -> [TensorDescription] {
        let api = runtime.api
        var allocator: UnsafeMutablePointer<OrtAllocator>?
        try runtime.check(api.GetAllocatorWithDefaultOptions(&allocator), .library)
        var count = 0
        try runtime.check(
            side == .inputs ? api.SessionGetInputCount(session, &count) : api.SessionGetOutputCount(session, &count),
            .model)
        var descriptions: [TensorDescription] = []
        for index in 0..<count {
            var name: UnsafeMutablePointer<CChar>?
            var type: OpaquePointer?
            switch side {
            case .inputs:
                try runtime.check(api.SessionGetInputName(session, index, allocator, &name), .model)
                try runtime.check(api.SessionGetInputTypeInfo(session, index, &type), .model)
            case .outputs:
                try runtime.check(api.SessionGetOutputName(session, index, allocator, &name), .model)
                try runtime.check(api.SessionGetOutputTypeInfo(session, index, &type), .model)
            }
            defer {
                allocator?.pointee.Free(allocator, name)
                api.ReleaseTypeInfo(type)
            }
            descriptions.append(try describe(runtime, name.map { String(cString: $0) } ?? "", type))
        }
        return descriptions
    }

    private static func describe(
        _ runtime: InferenceRuntime, _ name: String, _ type: OpaquePointer?
    ) throws(InferenceError) -> TensorDescription {
        var description = TensorDescription(name: name, element: .other, shape: [])
        // Owned by the type; nil if it is no tensor.
        var info: OpaquePointer?
        try runtime.check(runtime.api.CastTypeInfoToTensorInfo(type, &info), .model)
        guard let info else { return description }
        var element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED
        var rank = 0
        try runtime.check(runtime.api.GetTensorElementType(info, &element), .model)
        try runtime.check(runtime.api.GetDimensionsCount(info, &rank), .model)
        description.element = TensorDescription.Element(element)
        description.shape = [Int64](repeating: 0, count: rank)
        try runtime.check(runtime.api.GetDimensions(info, &description.shape, rank), .model)
        return description
    }
}
