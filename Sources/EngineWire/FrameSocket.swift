import CLinux
import Glibc
import Synchronization
package import System

/// One end of a connection between host and worker.
package final class FrameSocket: Sendable {
    package let descriptor: Descriptor

    /// Where a frame of any length fits: one for the socket, because most frames are short and many.
    private let inbox = Mutex([UInt8](repeating: 0, count: largestFrame))

    package init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// Sends a frame, with a descriptor where there is one. Blocks while the queue is full, unless told not to: then
    /// it throws `EAGAIN`. `EPIPE` or `ECONNRESET` = the other side is gone.
    package func send(_ bytes: [UInt8], passing passed: Descriptor? = nil, wait: Bool = true) throws(Errno) {
        try Errno.check {
            bytes.withUnsafeBytes { linux_send(descriptor.raw, $0.baseAddress, $0.count, passed?.raw ?? -1, wait) }
        }
    }

    /// The next frame with the descriptor that came along; nil when the other side is gone. `EAGAIN` = none is there
    /// and it was not to wait; `EMSGSIZE` = longer than any frame may be.
    package func receive(wait: Bool = true) throws(Errno) -> (bytes: [UInt8], passed: Descriptor?)? {
        var received = take(wait)
        // That the other side went with frames unread is told once, ahead of the frames that it sent before.
        if received.failure?.code == ECONNRESET { received = take(wait) }
        let passed = received.passed >= 0 ? Descriptor(owning: received.passed) : nil
        if let failure = received.failure { throw failure }
        if received.isTruncated { throw Errno(EMSGSIZE) }
        return received.bytes.isEmpty ? nil : (received.bytes, passed)
    }

    private func take(_ wait: Bool) -> Message {
        inbox.withLock { inbox in
            var message = Message()
            inbox.withUnsafeMutableBytes {
                message.count = linux_receive(
                    descriptor.raw, $0.baseAddress, $0.count, &message.passed, &message.isTruncated, wait)
            }
            if message.count < 0 { message.failure = Errno.last }
            message.bytes = Array(inbox.prefix(max(0, message.count)))
            return message
        }
    }

    private struct Message {
        var count = 0
        var passed: Int32 = -1
        var isTruncated = false
        var failure: Errno?
        var bytes: [UInt8] = []
    }
}
