import Foundation
import Synchronization

/// Runs blocking work on a separate thread. Swift's cooperative pool has only a few threads, and tests that block all
/// of them would wait forever.
final class OwnThread<Success: Sendable>: Sendable {
    private let outcome = Mutex<Result<Success, any Error>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () throws -> Success) {
        Thread.detachNewThread { [self] in
            let result = Result { try work() }
            outcome.withLock { $0 = result }
            done.signal()
        }
    }

    struct NeverEnded: Error {}

    /// Waits for the work to finish.
    func result() throws -> Success {
        guard done.wait(timeout: .now() + 600) == .success, let result = outcome.withLock({ $0 }) else {
            throw NeverEnded()
        }
        return try result.get()
    }
}
