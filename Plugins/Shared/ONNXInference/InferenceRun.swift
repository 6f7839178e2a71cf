import CONNXRuntime
import Dispatch
import Synchronization

/// A handle with which another thread can stop one run of a model.
///
/// Make a new one for each `InferenceSession.run`: a terminated run stays terminated.
public final class InferenceRun: Sendable {
    private let runtime: InferenceRuntime
    nonisolated(unsafe) let options: OpaquePointer
    private let terminated = Atomic(false)
    private let returnsMemory = Atomic(false)
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

    /// Makes the library release unused memory when this run ends.
    func returnMemory() throws(InferenceError) {
        guard !returnsMemory.exchange(true, ordering: .relaxed) else { return }
        try runtime.check(
            runtime.api.AddRunConfigEntry(options, "memory.enable_memory_arena_shrinkage", "cpu:0"), .library)
    }

    /// Whether `terminate()` was called.
    public var isTerminated: Bool { terminated.load(ordering: .acquiring) }

    /// Stops the run at its next node, or before its first one. May be called from any thread at any time; returns at
    /// once.
    public func terminate() {
        terminated.store(true, ordering: .releasing)
        // The library only sets a flag that its threads read, so this fails only for a null pointer.
        if let status = runtime.api.RunOptionsSetTerminate(options) {
            runtime.api.ReleaseStatus(status)
        }
        over.signal()
    }

    /// Waits until the run is terminated or finished. Only one thread may wait.
    func wait() { over.wait() }

    func finish() { over.signal() }
}
