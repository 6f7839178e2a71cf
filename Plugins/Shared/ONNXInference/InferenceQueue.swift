import Dispatch
import Synchronization

/// Runs of a model on threads of their own, so many at a time; the others wait in the order of their coming.
///
/// The library looks whether to stop only between two nodes, and a vocoder's longest takes a tenth of the whole run. A
/// run that is terminated here returns at once; what is left of its node is computed behind the caller's back, and the
/// next run begins when it is done.
public final class InferenceQueue: Sendable {
    private let session: InferenceSession
    private let jobs = Jobs()
    private let threadCount: Int

    /// - Parameter limit: How many runs are under way at once, at most.
    public init(_ session: InferenceSession, atOnce limit: Int = 1) {
        self.session = session
        let jobs = jobs
        threadCount = (0..<max(limit, 1)).count { _ in WorkThread.start { jobs.work() } }
    }

    deinit {
        // Nothing holds the session any more when this is gone.
        jobs.end(threadCount)
    }

    /// As `InferenceSession.run`, but for the thread. `run` belongs to this call alone.
    public func run(
        _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String], as run: InferenceRun
    ) throws(InferenceError) -> [InferenceOutput] {
        guard threadCount > 0 else { return try session.run(inputs, outputs: outputs, as: run) }
        let answer = Answer()
        jobs.add { [session] in
            do throws(InferenceError) {
                let found = try session.run(inputs, outputs: outputs, as: run)
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

    private final class Answer: Sendable {
        let result = Mutex<Result<[InferenceOutput], InferenceError>?>(nil)
    }

    private final class Jobs: Sendable {
        /// In the order of their coming; `nil` = there will be no other for the thread that finds it.
        private let waiting = Mutex<[(@Sendable () -> Void)?]>([])
        private let count = DispatchSemaphore(value: 0)
        private let over = DispatchSemaphore(value: 0)

        func add(_ job: (@Sendable () -> Void)?) {
            waiting.withLock { $0.append(job) }
            count.signal()
        }

        /// Returns when so many threads have left `work`.
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
