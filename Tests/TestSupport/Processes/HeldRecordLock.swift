import Glibc

/// A lock on an open file, like those that processes hold on cache entries that they are building.
package final class HeldRecordLock {
    /// Thrown if the lock is already held.
    package struct Busy: Error {}

    /// F_OFD_SETLK, which Swift does not import.
    private static let setLock: Int32 = 37
    private var descriptor: Int32

    package init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        guard fcntl(descriptor, Self.setLock, &range) == 0 else { throw Busy() }
    }

    deinit { release() }

    package func release() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
