import Glibc
import Synchronization
import System

/// A request to stop, which wakes the threads that poll on it.
package final class CancellationSignal: Sendable {
    /// nil if the system has no descriptor left; then a request is noticed at the next check.
    private let wakeUp = try? WakeUp()
    private let isSet = Atomic(false)

    package init() {}

    /// Readable once cancelled. `poll` ignores it if it is -1.
    var descriptor: Int32 { wakeUp?.descriptor.raw ?? -1 }

    package var isCancelled: Bool { isSet.load(ordering: .acquiring) }

    package func cancel() {
        isSet.store(true, ordering: .releasing)
        wakeUp?.signal()
    }
}
