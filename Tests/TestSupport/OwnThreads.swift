import Foundation
package import Testing

/// Runs tests that wait for programs on threads of their own: the threads of Swift's tasks are few, and every other test
/// would wait with them. A few at a time, so that a machine with few processors is not drowned.
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

private final class ThreadExecutor: TaskExecutor {
    static let shared = ThreadExecutor()

    private let queue = OperationQueue()

    init() {
        queue.maxConcurrentOperationCount = max(4, ProcessInfo.processInfo.activeProcessorCount)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.addOperation { job.runSynchronously(on: executor) }
    }
}
