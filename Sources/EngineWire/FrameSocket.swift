import CLinux
import Glibc
import Synchronization
package import System

/// One end of a connection between host and worker.
package final class FrameSocket: Sendable {
    package let descriptor: Descriptor

    /// The receive buffer, large enough for any frame. One per socket, because frames are many and mostly short.
    private let inbox = Mutex([UInt8](repeating: 0, count: largestFrame))

    package init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// Sends a frame, together with a descriptor if one is given. Blocks while the queue is full; without `wait` it
    /// throws `EAGAIN` instead. `EPIPE` or `ECONNRESET` = the other side has closed its end.
    package func send(_ bytes: [UInt8], passing passed: Descriptor? = nil, wait: Bool = true) throws(Errno) {
        try Errno.check {
            bytes.withUnsafeBytes { linux_send(descriptor.raw, $0.baseAddress, $0.count, passed?.raw ?? -1, wait) }
        }
    }

    /// The next frame with the descriptor that came along; nil if the other side has closed its end. `EAGAIN` = there
    /// is no frame, without `wait`; `EMSGSIZE` = the frame is longer than allowed.
    package func receive(wait: Bool = true) throws(Errno) -> (bytes: [UInt8], passed: Descriptor?)? {
        var received = take(wait)
        // If the other side closes with unread frames, the kernel reports that once, ahead of the frames it had sent.
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
