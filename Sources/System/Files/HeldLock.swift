import Glibc

/// A lock of a file against other processes, let go with this value. Closing the file is not enough: a process that is being
/// started has a copy of it for a moment, and holds the lock until then.
package final class HeldLock: Sendable {
    private let file: Descriptor

    /// Does not wait; nil = another one holds it. On a file system without locks nobody else can be known of.
    ///
    /// - Parameter isShared: others may hold it likewise.
    package init?(_ file: Descriptor, isShared: Bool = false) {
        guard flock(file.raw, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
        self.file = file
    }

    deinit { flock(file.raw, LOCK_UN) }
}
