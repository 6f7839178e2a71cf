import CSynthONNXRuntime
package import Dispatch
@_exported public import SynthGraphRewriting
@_exported public import SynthGraphs
@_exported public import SynthONNXRuntime

/// A model that is ready to run. Concurrent runs share its weights.
public final class InferenceSession: Sendable {
    /// The inputs that a run needs.
    public let inputs: [TensorDescription]
    /// The outputs that a run can return.
    public let outputs: [TensorDescription]
    /// The name of the output added by `exposing`; `nil` unless exactly one node of the model performs the operation
    /// passed as `exposing`.
    public let exposed: String?
    /// Whether the session was created from the cache, with mapped weights.
    public let isFromCache: Bool
    /// The rewrite outcome, if the session was created from the cache and a rewrite was requested.
    public let rewriting: RewriteOutcome?

    private let runtime: InferenceRuntime
    /// The cache location of the model's optimized variant, which may not exist yet.
    private let place: CacheLocation?
    private let stages: SessionStages
    private let noise: [String]
    private let floats: FloatForm.Outcome?
    private let cacheWork: CacheWork?
    private let threads: Int
    private let memory: ScratchMemory
    private let concurrent: ConcurrentSession
    /// The parts after the first one, if the model has several; this session runs the first part.
    let tail: InferenceTail?

    init(
        _ made: Opened, _ runtime: InferenceRuntime, threads: Int, modelSize: UInt64
    ) throws(InferenceError) {
        self.runtime = runtime
        stages = made.stages
        exposed = made.exposed
        noise = made.noise
        floats = made.floats
        isFromCache = made.isFromCache
        rewriting = made.rewriting
        cacheWork = made.cacheWork
        place = made.place
        concurrent = ConcurrentSession(threads: threads, among: made.runs, make: made.makeConcurrent)
        memory = ScratchMemory(modelSize: modelSize)
        self.threads = threads
        tail = made.tail
        inputs = stages.inputs
        let seam = made.tail?.cut.seam ?? []
        var outputs = stages.outputs.filter { !seam.contains($0.name) }
        if let tail = made.tail {
            let sound = tail.session.outputs.filter { $0.name == tail.cut.output }
            outputs.insert(contentsOf: sound, at: min(tail.cut.place, outputs.count))
        }
        self.outputs = outputs
    }

    deinit { cacheWork?.finish() }

    /// The variant of the model that this session runs.
    public var form: ModelForm {
        ModelForm(isFromCache: isFromCache, rewriting: rewriting, isOff: GraphRewriter.isOff)
    }

    /// Whether this session has written a variant of its model to the cache.
    var isRenewable: Bool { place != nil && cacheWork?.isPublished == true }

    /// Returns a session for the variant that this session has written to the cache; `nil` if there is none.
    func renewed() -> InferenceSession? {
        guard isRenewable, let place, let made = Self.open(place, runtime, threads) else {
            return nil
        }
        return try? InferenceSession(made, runtime, threads: threads, modelSize: place.modelSize)
    }

    /// Runs the model once, partly on the calling thread, and returns when the run is complete.
    ///
    /// - Returns: One output per name in `outputs`, in that order.
    public func run(
        _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String], as run: InferenceRun
    ) throws(InferenceError) -> [InferenceOutput] {
        guard let tail, let place = outputs.firstIndex(of: tail.cut.output) else {
            return try runPart(inputs, outputs: outputs, as: run)
        }
        var others = outputs
        others.remove(at: place)
        var (found, seam) = try runHead(inputs, outputs: others, of: tail, as: run)
        found.insert(try SoundInParts(tail, seam).whole(as: run), at: place)
        return found
    }

    /// Whether this session can compute the audio in parts.
    public var runsInParts: Bool { tail != nil }

    /// Runs the part of the model before the one that computes the audio. Requires `runsInParts`.
    ///
    /// - Parameter outputs: The names of the outputs other than the audio.
    public func runHead(
        _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String], as run: InferenceRun
    ) throws(InferenceError) -> (outputs: [InferenceOutput], sound: SoundInParts) {
        guard let tail else { throw InferenceError(.run, "the model is not split into parts") }
        let (found, seam) = try runHead(inputs, outputs: outputs, of: tail, as: run)
        return (found, try SoundInParts(tail, seam))
    }

    private func runHead(
        _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String], of tail: InferenceTail,
        as run: InferenceRun
    ) throws(InferenceError) -> (outputs: [InferenceOutput], seam: [InferenceOutput]) {
        let found = try runPart(inputs, outputs: outputs + tail.cut.seam, as: run)
        return (Array(found.prefix(outputs.count)), Array(found.dropFirst(outputs.count)))
    }

    /// Runs only this session's part of the model.
    func runPart(
        _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String], as run: InferenceRun
    ) throws(InferenceError) -> [InferenceOutput] {
        var values: [(name: String, value: OpaquePointer?)] = []
        var made: [OpaquePointer] = []
        defer { for value in made { runtime.api.ReleaseValue(value) } }
        for input in inputs {
            if case .output(let output) = input.tensor.values {
                values.append((input.name, output.value))
            } else {
                let value = try makeValue(input.tensor)
                made.append(value)
                values.append((input.name, value))
            }
        }
        // Keep the inputs alive, because they may be outputs of other runs.
        defer { withExtendedLifetime(inputs) {} }

        if memory.isToBeReturned { try run.returnMemory() }
        cacheWork?.startBesideRun()
        let stages = concurrent.enter() ?? stages
        defer { memory.noteEndOfRun(among: concurrent.leave()) }
        let results: [OpaquePointer]
        do {
            results = try stages.run(values, outputs: outputs, as: run)
        } catch {
            throw run.isTerminated ? InferenceError(.terminated, "the run was stopped") : error
        }
        var wrapped: [InferenceOutput] = []
        for (index, result) in results.enumerated() {
            do {
                wrapped.append(try InferenceOutput(result, runtime))
            } catch {
                for rest in results.dropFirst(index + 1) { runtime.api.ReleaseValue(rest) }
                throw error
            }
        }
        return wrapped
    }

    /// Requests a rewrite of the model that this session writes to the cache. The rewrite takes place in `finishCache`
    /// or at the end of the session so that it never delays audio. Call this before the first run. It has no effect if
    /// the session was created from the cache, has no cache, or was created without a `RewriteKind`.
    ///
    /// - Parameters:
    ///   - check: Verifies that the rewritten model produces the same samples; if not, the original stays in use.
    ///   - report: Receives the outcome on another thread.
    public func rewrite(checkedBy check: RewriteCheck, report: @escaping @Sendable (RewriteOutcome) -> Void) {
        guard let place, let kind = place.kind else { return }
        let comparison = SoundComparison(check, with: stages, noise: noise, runtime, threads: threads)
        let rewriter = GraphRewriter(
            kind: kind, precision: place.precision, runtime: runtime, comparison: comparison, floats: floats)
        cacheWork?.rewrite(with: rewriter, report: report)
    }

    /// Keeps this model out of the cache. If the model is unusable, call this before the first run.
    public func abandonCache() {
        cacheWork?.abandon()
    }

    /// Waits until this session's optimized model is in the cache, caching it has failed, or `over` is signaled. This
    /// may take seconds, but the call returns immediately if there is nothing to write.
    package func finishCache(until over: DispatchSemaphore = DispatchSemaphore(value: 0)) {
        cacheWork?.finish(until: over)
    }

    /// Returns the custom metadata that the model's author stored under this key.
    public func metadata(_ key: String) throws(InferenceError) -> String? { try stages.metadata(key) }

    private func makeValue(_ tensor: InferenceTensor) throws(InferenceError) -> OpaquePointer {
        let product = tensor.shape.reduce(Int64(1)) { $0.multipliedReportingOverflow(by: $1).partialValue }
        guard product == Int64(tensor.values.count), tensor.shape.allSatisfy({ $0 >= 0 }) else {
            throw InferenceError(
                .tensor, "an input has \(tensor.values.count) elements, which does not match its shape \(tensor.shape)")
        }
        return switch tensor.values {
        case .float32(let numbers): try makeValue(numbers, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, tensor.shape)
        case .int32(let numbers): try makeValue(numbers, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, tensor.shape)
        case .float16(let numbers): try makeValue(numbers, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, tensor.shape)
        case .int64(let numbers): try makeValue(numbers, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, tensor.shape)
        case .bool(let flags): try makeValue(flags, ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, tensor.shape)
        case .output: throw InferenceError(.tensor, "an output of another run cannot be used to create a new tensor")
        }
    }

    /// Copies the numbers into memory owned by ONNX Runtime so that the caller's memory need not outlive the call.
    /// Copying is cheap because inputs are small.
    private func makeValue<Number: BitwiseCopyable>(
        _ numbers: [Number], _ type: ONNXTensorElementDataType, _ shape: [Int64]
    ) throws(InferenceError) -> OpaquePointer {
        var allocator: UnsafeMutablePointer<OrtAllocator>?
        try runtime.check(runtime.api.GetAllocatorWithDefaultOptions(&allocator), .library)
        var value: OpaquePointer?
        try runtime.check(runtime.api.CreateTensorAsOrtValue(allocator, shape, shape.count, type, &value), .tensor)
        guard let value else { throw InferenceError(.tensor, "ONNX Runtime did not return a tensor") }
        var bytes: UnsafeMutableRawPointer?
        do {
            try runtime.check(runtime.api.GetTensorMutableData(value, &bytes), .tensor)
        } catch {
            runtime.api.ReleaseValue(value)
            throw error
        }
        numbers.withUnsafeBytes { source in
            guard let from = source.baseAddress else { return }
            bytes?.copyMemory(from: from, byteCount: source.count)
        }
        return value
    }
}
