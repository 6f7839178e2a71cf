import CLinux
import Glibc

/// Wakes a thread that waits in `poll` (an eventfd). It stays signalled until it is cleared.
package final class WakeUp: Sendable {
    package let descriptor: Descriptor

    package init() throws(Errno) {
        descriptor = Descriptor(
            owning: try Errno.check { linux_eventfd() })
    }

    /// May be called from any thread; never blocks.
    package func signal() {
        var one: UInt64 = 1
        _ = write(descriptor.raw, &one, 8)
    }

    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor.raw, &count, 8)
    }
}
