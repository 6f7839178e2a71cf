import CLinux
import Glibc
import Synchronization

/// A wish to stop that wakes whoever polls on it.
package final class Cancellation: Sendable {
    /// Readable once cancelled; -1 where the system has no descriptor left.
    let descriptor: Int32
    private let isSet = Atomic(false)

    package init() { descriptor = linux_event() }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package var isCancelled: Bool { isSet.load(ordering: .acquiring) }

    package func cancel() {
        isSet.store(true, ordering: .releasing)
        if descriptor >= 0 { linux_event_raise(descriptor) }
    }
}
