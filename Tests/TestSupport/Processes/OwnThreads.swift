import Foundation
import SynthSystem
package import Testing

/// Separate threads for tests that wait for programs. Otherwise, such tests would occupy the few threads of Swift's
/// cooperative pool, and all other tests would wait. There are as many threads as tests that `Scripts/test` runs
/// concurrently, so that a machine with few processors is not overloaded, and some tests run while others wait.
package struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(ThreadExecutor.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    package static var ownThreads: Self { OwnThreads() }
}

/// A fixed number of threads that run jobs in FIFO order.
package final class ThreadExecutor: TaskExecutor {
    fileprivate static let shared = ThreadExecutor(threads: max(4, ProcessInfo.processInfo.activeProcessorCount * 3))

    private let jobs = Monitor<[UnownedJob]>([])

    package init(threads: Int) {
        for number in 0..<threads {
            startThread("test-\(number)") { [self] in
                while let job = jobs.wait(until: { $0.isEmpty ? nil : $0.removeFirst() }) {
                    job.runSynchronously(on: asUnownedTaskExecutor())
                }
            }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.update { $0.append(job) }
    }
}
