import Glibc
import Synchronization
import System

/// A wish to stop that wakes whoever polls on it.
package final class CancellationSignal: Sendable {
    /// nil where the system has no descriptor left; then it is seen at the next look.
    private let wakeUp = try? WakeUp()
    private let isSet = Atomic(false)

    package init() {}

    /// Readable once cancelled; `poll` passes over it where it is -1.
    var descriptor: Int32 { wakeUp?.descriptor.raw ?? -1 }

    package var isCancelled: Bool { isSet.load(ordering: .acquiring) }

    package func cancel() {
        isSet.store(true, ordering: .releasing)
        wakeUp?.signal()
    }
}
