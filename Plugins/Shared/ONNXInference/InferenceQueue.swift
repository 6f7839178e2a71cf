import Dispatch
import Synchronization

/// Runs models on threads of its own. A limited number of runs goes at a time; others wait in order of arrival.
///
/// The library checks for a stop only between two nodes, and the longest node of a vocoder takes a tenth of the whole
/// run. A call that is terminated here returns at once. The node is still finished in the background, and the next run
/// begins after that.
public final class InferenceQueue: Sendable {
    private let jobs = Jobs()
    private let threadCount: Int

    /// - Parameter limit: The most runs at once.
    public init(atOnce limit: Int = 1) {
        let jobs = jobs
        threadCount = (0..<max(limit, 1)).count { _ in WorkThread.start { jobs.work() } }
    }

    deinit {
        // After this no thread runs a model.
        jobs.end(threadCount)
    }

    /// Calls `body`, which runs a model as `run`, on a thread of the queue. `run` must not be used for another call.
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
        /// In order of arrival; `nil` ends the thread that takes it.
        private let waiting = Mutex<[(@Sendable () -> Void)?]>([])
        private let count = DispatchSemaphore(value: 0)
        private let over = DispatchSemaphore(value: 0)

        func add(_ job: (@Sendable () -> Void)?) {
            waiting.withLock { $0.append(job) }
            count.signal()
        }

        /// Ends this many threads and waits until they have left `work`.
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
