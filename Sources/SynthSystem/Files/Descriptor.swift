import CSynthLinux
import Glibc

/// An open file descriptor, which is closed when the object is freed.
package final class Descriptor: Sendable {
    package let raw: Int32

    /// Takes ownership of an open descriptor.
    package init(owning raw: Int32) { self.raw = raw }

    deinit { close(raw) }

    /// Returns two connected sockets that preserve message boundaries (`SOCK_SEQPACKET`), with close-on-exec set.
    package static func socketPair() throws(Errno) -> (Descriptor, Descriptor) {
        var ends: (Int32, Int32) = (-1, -1)
        try Errno.check {
            withUnsafeMutableBytes(of: &ends) {
                socketpair(
                    AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0,
                    $0.assumingMemoryBound(to: Int32.self).baseAddress)
            }
        }
        return (Descriptor(owning: ends.0), Descriptor(owning: ends.1))
    }

    /// Returns the read end and the write end of a pipe, with close-on-exec set.
    package static func pipe() throws(Errno) -> (reading: Descriptor, writing: Descriptor) {
        var ends: (Int32, Int32) = (-1, -1)
        try Errno.check {
            withUnsafeMutableBytes(of: &ends) { linux_pipe($0.assumingMemoryBound(to: Int32.self).baseAddress) }
        }
        return (Descriptor(owning: ends.0), Descriptor(owning: ends.1))
    }

    /// Calls `open(2)` with close-on-exec set.
    package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0o644) throws(Errno) -> Descriptor {
        try Errno.checkName(path)
        return Descriptor(owning: try Errno.check { Glibc.open(path, flags | O_CLOEXEC, mode) })
    }

    /// Returns an in-memory file with the given contents, positioned at its start. It is freed when its last descriptor
    /// is closed.
    package static func memory(with bytes: [UInt8]) throws(Errno) -> Descriptor {
        let file = Descriptor(owning: try Errno.check { linux_memory_file() })
        try file.writeAll(bytes)
        try file.rewind()
        return file
    }

    /// Opens a regular file for reading and returns it with its size in bytes. Never blocks, not even for a pipe
    /// without a writer. Fails with `EISDIR` for a folder and with `EINVAL` for any other type of file.
    package static func openRegular(_ path: String) throws(Errno) -> (file: Descriptor, size: UInt64) {
        try regular(try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY))
    }

    /// Opens a regular file by name in an open folder. Fails with `ELOOP` for a symbolic link.
    package static func openRegular(
        _ name: String, in folder: Descriptor
    ) throws(Errno) -> (file: Descriptor, size: UInt64) {
        try Errno.checkName(name)
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC
        return try regular(Descriptor(owning: try Errno.check { openat(folder.raw, name, flags) }))
    }

    private static func regular(_ file: Descriptor) throws(Errno) -> (file: Descriptor, size: UInt64) {
        var status = stat()
        try Errno.check { fstat(file.raw, &status) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return (file, UInt64(status.st_size))
        case S_IFDIR: throw .isFolder
        default: throw .invalid
        }
    }

    /// Returns this descriptor, or a duplicate whose number is at least `lowest`.
    package func raised(to lowest: Int32) throws(Errno) -> Descriptor {
        if raw >= lowest { return self }
        return Descriptor(owning: try Errno.check { fcntl(raw, F_DUPFD_CLOEXEC, lowest) })
    }

    /// Reads at most as many bytes as the buffer holds; returns 0 at end of file.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try Errno.check { Glibc.read(raw, buffer.baseAddress, buffer.count) }
    }

    /// Seeks to the beginning.
    package func rewind() throws(Errno) { try Errno.check { lseek(raw, 0, SEEK_SET) < 0 ? -1 : 0 } }

    /// Writes all bytes.
    package func writeAll(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            written += try Errno.check { Glibc.write(raw, rest.baseAddress, rest.count) }
        }
    }

    /// Writes all bytes.
    package func writeAll(_ bytes: [UInt8]) throws(Errno) {
        try bytes.span.withUnsafeBytes { (bytes) throws(Errno) in try writeAll(bytes) }
    }
}

/// Runs `body`, which writes to a pipe or a socket. If the reader has closed its end, the write fails with `EPIPE`, and
/// SIGPIPE is not delivered.
package func withoutBrokenPipeSignal<Result>(_ body: () throws(Errno) -> Result) throws(Errno) -> Result {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    do {
        return try body()
    } catch {
        if error == .brokenPipe {
            var now = timespec()
            sigtimedwait(&signals, nil, &now)
        }
        throw error
    }
}

/// Waits with `poll(2)` until a descriptor is ready.
package enum Poll {
    /// Returns the ready events of each descriptor, including hang-ups, in the order of `descriptors`. If the timeout
    /// expires, all values are 0.
    package static func wait(
        _ descriptors: [(Int32, events: Int32)], timeout: Duration? = nil
    ) throws(Errno) -> [Int32] {
        var set = descriptors.map { pollfd(fd: $0.0, events: Int16($0.events), revents: 0) }
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let milliseconds = deadline.map { max(0, ($0 - .now).roundedUpMilliseconds) } ?? -1
            let count = poll(&set, nfds_t(set.count), milliseconds)
            if count >= 0 { return set.map { Int32($0.revents) } }
            if Errno.last != .interrupted { throw Errno.last }
        }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up so that `poll` does not return early.
    var roundedUpMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1000 else { return .max }
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// The duration in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}

/// An eventfd that wakes a thread waiting in `poll`. It stays signaled until it is cleared.
package final class WakeUp: Sendable {
    package let descriptor: Descriptor

    package init() throws(Errno) {
        descriptor = Descriptor(
            owning: try Errno.check { linux_eventfd() })
    }

    /// Wakes the thread. Never blocks; may be called from any thread.
    package func signal() {
        var one: UInt64 = 1
        _ = write(descriptor.raw, &one, 8)
    }

    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor.raw, &count, 8)
    }
}

/// A file lock that excludes other processes and is released when this object is freed. Closing the file might not
/// release the lock, because a child process that is being started briefly holds a copy of the descriptor.
package final class HeldLock: Sendable {
    private let file: Descriptor

    /// Takes the lock without waiting. Returns nil if another process holds it. On a file system without lock support,
    /// the lock is always granted.
    ///
    /// - Parameter isShared: whether other processes may hold a shared lock at the same time.
    package init?(_ file: Descriptor, isShared: Bool = false) {
        guard flock(file.raw, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
        self.file = file
    }

    deinit { flock(file.raw, LOCK_UN) }
}
