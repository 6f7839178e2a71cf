import CLinux
import Glibc

/// An open file descriptor, closed when the value is freed.
package final class Descriptor: Sendable {
    package let raw: Int32

    /// Takes over an open descriptor.
    package init(owning raw: Int32) { self.raw = raw }

    deinit { close(raw) }

    /// Two connected sockets that keep messages whole (`SOCK_SEQPACKET`), closed in children.
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

    /// The reading and the writing end of a pipe, closed in children.
    package static func pipe() throws(Errno) -> (reading: Descriptor, writing: Descriptor) {
        var ends: (Int32, Int32) = (-1, -1)
        try Errno.check {
            withUnsafeMutableBytes(of: &ends) { linux_pipe($0.assumingMemoryBound(to: Int32.self).baseAddress) }
        }
        return (Descriptor(owning: ends.0), Descriptor(owning: ends.1))
    }

    /// `open(2)`, closed in children.
    package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0o644) throws(Errno) -> Descriptor {
        Descriptor(owning: try Errno.check { Glibc.open(path, flags | O_CLOEXEC, mode) })
    }

    /// Opens a regular file for reading, with its size in bytes. Nothing else is opened: opening a pipe without a
    /// writer would block forever. `EISDIR` for a folder, `EINVAL` for anything else.
    package static func openRegular(_ path: String) throws(Errno) -> (file: Descriptor, size: UInt64) {
        try regular(try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY))
    }

    /// The same for a name in an open folder. `ELOOP` for a link.
    package static func openRegular(
        _ name: String, in folder: Descriptor
    ) throws(Errno) -> (file: Descriptor, size: UInt64) {
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

    /// This descriptor, or a copy of it whose number is not below `lowest`.
    package func raised(to lowest: Int32) throws(Errno) -> Descriptor {
        if raw >= lowest { return self }
        return Descriptor(owning: try Errno.check { fcntl(raw, F_DUPFD_CLOEXEC, lowest) })
    }

    /// Reads at most as many bytes as fit; 0 = the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try Errno.check { Glibc.read(raw, buffer.baseAddress, buffer.count) }
    }

    /// Writes all of it.
    package func writeAll(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            written += try Errno.check { Glibc.write(raw, rest.baseAddress, rest.count) }
        }
    }

    /// Writes all of it.
    package func writeAll(_ bytes: [UInt8]) throws(Errno) {
        try bytes.span.withUnsafeBytes { (bytes) throws(Errno) in try writeAll(bytes) }
    }
}
