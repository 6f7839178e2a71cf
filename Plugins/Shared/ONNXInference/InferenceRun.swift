import CONNXRuntime
import Dispatch
import Synchronization

/// The handle of one run of a model, by which another thread stops it.
///
/// One for each `InferenceSession.run`: a run that was terminated stays so.
public final class InferenceRun: Sendable {
    private let runtime: InferenceRuntime
    nonisolated(unsafe) let options: OpaquePointer
    private let terminated = Atomic(false)
    private let over = DispatchSemaphore(value: 0)

    public init() throws(InferenceError) {
        let runtime = try InferenceRuntime.shared
        var options: OpaquePointer?
        try runtime.check(runtime.api.CreateRunOptions(&options), .library)
        guard let options else { throw InferenceError(.library, "ONNX Runtime gives no run options") }
        self.runtime = runtime
        self.options = options
    }

    deinit {
        runtime.api.ReleaseRunOptions(options)
    }

    /// Has the library give the memory back that no run uses when this one ends.
    func returnMemory() throws(InferenceError) {
        try runtime.check(
            runtime.api.AddRunConfigEntry(options, "memory.enable_memory_arena_shrinkage", "cpu:0"), .library)
    }

    /// Whether `terminate()` was called.
    public var isTerminated: Bool { terminated.load(ordering: .acquiring) }

    /// Stops the run at its next node, or before its first one. Any thread, at any time; returns at once.
    public func terminate() {
        terminated.store(true, ordering: .releasing)
        // The library stores a flag that its threads read; it can only fail for a missing pointer.
        if let status = runtime.api.RunOptionsSetTerminate(options) {
            runtime.api.ReleaseStatus(status)
        }
        over.signal()
    }

    /// Returns when the run was terminated or is finished. For one caller.
    func wait() { over.wait() }

    func finish() { over.signal() }
}
