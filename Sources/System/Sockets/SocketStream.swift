import CLinux
import Glibc

/// A client's connection. One thread reads and one writes at a time; any may stop it.
package final class SocketStream: Sendable {
    /// Why a connection gives or takes nothing more.
    package enum Failure: Error, Equatable, Sendable {
        case system(Errno)
        /// The client gave or took nothing in time.
        case late
        /// `stop` was called.
        case stopped
    }

    private let descriptor: Descriptor
    private let stopped: WakeUp

    /// - Parameter descriptor: does not block.
    init(_ descriptor: Descriptor) throws(Errno) {
        self.descriptor = descriptor
        stopped = try WakeUp()
        // Small messages go at once. A Unix socket knows no such thing, and needs none.
        var one: Int32 = 1
        setsockopt(descriptor.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads what is there, at most as many bytes as fit; 0 = the client sends nothing more. Blocks until there is something.
    ///
    /// - Parameter limit: how long nothing may come; nil = for ever.
    package func read(into buffer: UnsafeMutableRawBufferPointer, within limit: Duration? = nil) throws(Failure) -> Int
    {
        while true {
            let count = recv(descriptor.raw, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            try wait(for: POLLIN, limit)
        }
    }

    /// Writes all of it. Blocks while the client takes nothing.
    ///
    /// - Parameter limit: how long the client may take nothing.
    package func write(_ bytes: [UInt8], within limit: Duration) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.span.withUnsafeBytes { bytes in
                send(
                    descriptor.raw, bytes.baseAddress.map { $0 + written }, bytes.count - written,
                    Int32(MSG_NOSIGNAL))
            }
            if count >= 0 { written += count } else { try wait(for: POLLOUT, limit) }
        }
    }

    /// After a call that would have blocked.
    private func wait(for event: Int32, _ limit: Duration?) throws(Failure) {
        switch Errno.last {
        case Errno(EAGAIN): break
        case .interrupted: return
        default: throw .system(Errno.last)
        }
        do throws(Errno) {
            let ready = try Poll.wait([(descriptor.raw, event), (stopped.descriptor.raw, POLLIN)], timeout: limit)
            if ready[1] != 0 { throw Errno(ECANCELED) }
            if ready[0] == 0 { throw Errno(ETIMEDOUT) }
        } catch {
            switch error {
            case Errno(ECANCELED): throw .stopped
            case Errno(ETIMEDOUT): throw .late
            default: throw .system(error)
            }
        }
    }

    /// From any thread: reading and writing end, now and later.
    package func stop() {
        stopped.signal()
        shutdown(descriptor.raw, Int32(SHUT_RDWR))
    }
}
