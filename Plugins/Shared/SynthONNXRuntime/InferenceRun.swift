import CSynthONNXRuntime
import Dispatch
import Glibc
import Synchronization
public import SynthGraphs

/// A handle that lets another thread stop a run of a model.
///
/// Create a new handle for each `InferenceSession.run`; a terminated handle stays terminated.
public final class InferenceRun: Sendable {
    private let runtime: InferenceRuntime
    package nonisolated(unsafe) let options: OpaquePointer
    private let terminated = Atomic(false)
    private let returnsMemory = Atomic(false)
    private let over = DispatchSemaphore(value: 0)

    /// Creates a handle. Throws if ONNX Runtime does not start.
    public init() throws(InferenceError) {
        let runtime = try InferenceRuntime.shared
        var options: OpaquePointer?
        try runtime.check(runtime.api.CreateRunOptions(&options), .library)
        guard let options else { throw InferenceError(.library, "ONNX Runtime cannot create run options") }
        self.runtime = runtime
        self.options = options
    }

    deinit {
        runtime.api.ReleaseRunOptions(options)
    }

    /// Makes ONNX Runtime release unused memory at the end of this run.
    package func returnMemory() throws(InferenceError) {
        guard !returnsMemory.exchange(true, ordering: .relaxed) else { return }
        try runtime.check(
            runtime.api.AddRunConfigEntry(options, "memory.enable_memory_arena_shrinkage", "cpu:0"), .library)
    }

    /// Whether `terminate()` was called.
    public var isTerminated: Bool { terminated.load(ordering: .acquiring) }

    /// Stops the run before its next node. Any thread may call this at any time. Returns immediately.
    public func terminate() {
        terminated.store(true, ordering: .releasing)
        // ONNX Runtime merely sets a flag for its threads, so this fails only for a null pointer.
        if let status = runtime.api.RunOptionsSetTerminate(options) {
            runtime.api.ReleaseStatus(status)
        }
        over.signal()
    }

    /// Waits until the run has finished or has been terminated. Only one thread may wait.
    func wait() { over.wait() }

    func finish() { over.signal() }
}

/// Runs models on its own threads. The number of concurrent runs is limited, and other runs wait in FIFO order.
///
/// ONNX Runtime checks for termination only between nodes, and a vocoder's longest node takes a tenth of the entire
/// run. Therefore, a terminated call to this queue returns immediately, while the current node finishes in the
/// background. The next run starts only when that node has finished.
public final class InferenceQueue: Sendable {
    private let jobs = Jobs()
    private let threadCount: Int

    /// - Parameter limit: The maximum number of concurrent runs.
    public init(atOnce limit: Int = 1) {
        let jobs = jobs
        threadCount = (0..<max(limit, 1)).count { _ in WorkThread.start { jobs.work() } }
    }

    /// Creates a queue for runs that use `threads` threads each. Two concurrent runs on the same processors would be no
    /// faster than two consecutive ones and would need twice the memory.
    public convenience init(threads: Int) { self.init(atOnce: Self.processors / max(threads, 1)) }

    /// The number of processors, up to four, because using more threads barely speeds up a run.
    public static var usefulThreads: Int { min(max(processors, 1), 4) }

    private static var processors: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

    deinit {
        // When this call returns, no thread is running a model.
        jobs.end(threadCount)
    }

    /// Calls `body`, which runs a model with the handle `run`, on one of the queue's threads. Do not use `run` for another
    /// call.
    public func run<Found: Sendable>(
        as run: InferenceRun, _ body: @escaping @Sendable () throws(InferenceError) -> Found
    ) throws(InferenceError) -> Found {
        guard threadCount > 0 else { return try body() }
        let answer = Answer<Found>()
        jobs.add {
            do throws(InferenceError) {
                let found = try body()
                answer.result.withLock { $0 = .success(found) }
            } catch {
                answer.result.withLock { $0 = .failure(error) }
            }
            run.finish()
        }
        run.wait()
        guard let result = answer.result.withLock({ $0 }) else {
            throw InferenceError(.terminated, "the run was stopped")
        }
        return try result.get()
    }

    private final class Answer<Found: Sendable>: Sendable {
        let result = Mutex<Result<Found, InferenceError>?>(nil)
    }

    private final class Jobs: Sendable {
        /// The jobs in FIFO order. A `nil` job ends the thread that takes it.
        private let waiting = Mutex<[(@Sendable () -> Void)?]>([])
        private let count = DispatchSemaphore(value: 0)
        private let over = DispatchSemaphore(value: 0)

        func add(_ job: (@Sendable () -> Void)?) {
            waiting.withLock { $0.append(job) }
            count.signal()
        }

        /// Ends `threads` threads and waits until they have left `work`.
        func end(_ threads: Int) {
            for _ in 0..<threads { add(nil) }
            for _ in 0..<threads { over.wait() }
        }

        func work() {
            while true {
                count.wait()
                guard let job = waiting.withLock({ $0.removeFirst() }) else { break }
                job()
            }
            over.signal()
        }
    }
}
