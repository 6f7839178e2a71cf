import CSynthONNXRuntime
import SynthGraphs
import SynthONNXRuntime

/// The options of a session, chosen by measurements on speech models.
struct SessionOptions: ~Copyable {
    private let runtime: InferenceRuntime
    let handle: OpaquePointer

    /// - Parameters:
    ///   - threads: CPU threads for one run.
    ///   - spins: Whether they spin between nodes, which makes a run of many nodes a tenth faster. They also spin for thirty
    ///     milliseconds when the session is made, which slows all that is made at the same time.
    static func make(
        _ runtime: InferenceRuntime, threads: Int, spins: Bool = true
    ) throws(InferenceError) -> SessionOptions {
        var handle: OpaquePointer?
        try runtime.check(runtime.api.CreateSessionOptions(&handle), .library)
        guard let handle else { throw InferenceError(.library, "ONNX Runtime gives no session options") }
        let options = SessionOptions(runtime, taking: handle)
        try runtime.check(runtime.api.SetIntraOpNumThreads(handle, Int32(clamping: threads)), .library)
        // Speech models are one chain of nodes, so a second pool would have nothing to do.
        try runtime.check(runtime.api.SetInterOpNumThreads(handle, 1), .library)
        // Between two runs they would only keep a core busy.
        try options.set("session.intra_op.allow_spinning", spins ? "1" : "0")
        try options.set("session.force_spinning_stop", "1")
        // Packed copies of mapped weights would need private memory, without a measurable gain in speed.
        try options.set("session.disable_prepacking", "1")
        // It would keep a pattern for each length of input, and lengths hardly ever repeat.
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

    /// Turns optimization off, for a graph that was saved optimized.
    borrowing func useGraphAsItIs() throws(InferenceError) {
        try runtime.check(runtime.api.SetSessionGraphOptimizationLevel(handle, ORT_DISABLE_ALL), .library)
    }

    /// Turns optimization on. EXTENDED is as fast as ALL, and adds no nodes that only this processor can run.
    ///
    /// - Parameter foldsConstants: As for `InferenceSession`.
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
