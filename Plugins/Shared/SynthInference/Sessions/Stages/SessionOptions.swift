import CSynthONNXRuntime
import SynthGraphs
import SynthONNXRuntime

/// Session options chosen by benchmarking speech models.
struct SessionOptions: ~Copyable {
    private let runtime: InferenceRuntime
    let handle: OpaquePointer

    /// - Parameters:
    ///   - threads: The number of CPU threads per run.
    ///   - spins: Whether idle threads spin between nodes, which makes a run with many nodes 10% faster. Idle threads
    ///     also spin for 30 ms after session creation, which slows down other sessions created at the same time.
    static func make(
        _ runtime: InferenceRuntime, threads: Int, spins: Bool = true
    ) throws(InferenceError) -> SessionOptions {
        var handle: OpaquePointer?
        try runtime.check(runtime.api.CreateSessionOptions(&handle), .library)
        guard let handle else { throw InferenceError(.library, "ONNX Runtime cannot create session options") }
        let options = SessionOptions(runtime, taking: handle)
        try runtime.check(runtime.api.SetIntraOpNumThreads(handle, Int32(clamping: threads)), .library)
        // Speech models are a single chain of nodes, so a second thread pool would be idle.
        try runtime.check(runtime.api.SetInterOpNumThreads(handle, 1), .library)
        // Spinning between runs would only keep a core busy.
        try options.set("session.intra_op.allow_spinning", spins ? "1" : "0")
        try options.set("session.force_spinning_stop", "1")
        // Packed copies of mapped weights would use private memory without a measurable speedup.
        try options.set("session.disable_prepacking", "1")
        // ONNX Runtime would store a memory pattern for each input length, but the same length rarely recurs.
        try runtime.check(runtime.api.DisableMemPattern(handle), .library)
        try options.set("session.use_env_allocators", "1")
        try KernelDomain.add(to: handle, runtime)
        return options
    }

    private init(_ runtime: InferenceRuntime, taking handle: OpaquePointer) {
        self.runtime = runtime
        self.handle = handle
    }

    deinit {
        runtime.api.ReleaseSessionOptions(handle)
    }

    /// Turns off optimization, for a graph that is already optimized.
    borrowing func useGraphAsItIs() throws(InferenceError) {
        try runtime.check(runtime.api.SetSessionGraphOptimizationLevel(handle, ORT_DISABLE_ALL), .library)
    }

    /// Turns on optimization. The level EXTENDED produces graphs that are as fast as those from ALL but contain no
    /// processor-specific nodes.
    ///
    /// - Parameter foldsConstants: Whether constant expressions are computed only once.
    borrowing func optimize(savingTo entry: GraphCache.Entry?, foldsConstants: Bool = true) throws(InferenceError) {
        try runtime.check(runtime.api.SetSessionGraphOptimizationLevel(handle, ORT_ENABLE_EXTENDED), .library)
        if !foldsConstants { try set("optimization.disable_specified_optimizers", "ConstantFolding") }
        guard let entry else { return }
        try runtime.check(runtime.api.SetOptimizedModelFilePath(handle, entry.whole), .library)
        try set("session.optimized_model_external_initializers_file_name", GraphCache.Entry.weightsName(0))
        try set("session.optimized_model_external_initializers_min_size_in_bytes", "1024")
    }

    private borrowing func set(_ key: String, _ value: String) throws(InferenceError) {
        try runtime.check(runtime.api.AddSessionConfigEntry(handle, key, value), .library)
    }
}
