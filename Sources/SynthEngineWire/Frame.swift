import CSynthLinux
import Glibc
import Synchronization
package import SynthSystem

// The frames exchanged between host and worker.
//
// One SOCK_SEQPACKET socket (descriptor 3 of the worker) carries control frames; each lane has its own socket, passed
// with the `open` frame. A frame is one message, which arrives in full or not at all, so whole frames can be dropped
// after a cancellation and the stream stays in sync. Every frame on a lane contains the serial number of its request;
// the last frame of every request is an `end`, even after a cancellation. The worker exits if it cannot decode a
// frame.

/// A value that is sent as a frame or as part of one.
package protocol Frame: Sendable {
    func write(to frame: inout FrameWriter)
    init(from frame: inout FrameReader) throws
}

extension Frame {
    package var frameBytes: [UInt8] {
        var frame = FrameWriter()
        write(to: &frame)
        return frame.bytes
    }

    /// Decodes a complete frame. Throws if there are extra bytes.
    package init(frameBytes: ArraySlice<UInt8>) throws {
        var frame = FrameReader(frameBytes)
        try self.init(from: &frame)
        try frame.end()
    }
}

/// The exit status of a worker that received a malformed frame, or whose sockets the engine closed.
package let damagedExitStatus: Int32 = 76

/// The exit status of a worker that could not start a thread.
package let threadlessExitStatus: Int32 = 71

/// The sample rates that engines may use, in hertz.
package let playableSampleRates: ClosedRange<UInt32> = 1000...384_000
/// The channel counts that engines may use.
package let playableChannels: ClosedRange<UInt32> = 1...2

/// The maximum size of a request's text, in bytes.
package let longestText = 65_536

/// The maximum size of an engine's message, or of a name in a message, in bytes.
package let longestWords = 8192

/// The maximum size of a frame in either direction, in bytes. It is large enough for the longest text and its voices,
/// and fits into a socket's buffers at the system's default size.
package let largestFrame = 160 * 1024

/// The maximum number of samples in an audio frame: a sixth of a second of mono speech. It limits how long a
/// cancellation takes.
package let samplesPerFrame = 4096

/// The version of synthhost that `--version` prints; also reported to engines and stored in the scan cache.
package let hostVersion = "0.1.0"

/// Encodes a frame.
package struct FrameWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving count: Int = 64) { bytes.reserveCapacity(count) }

    package mutating func write<each Value: Frame>(_ values: repeat each Value) {
        repeat (each values).write(to: &self)
    }

    /// Writes text for users, which may come from an engine. It is truncated to `longestWords` so that the frame always
    /// fits into the socket.
    package mutating func write(words: String) { write(words.cut(toBytes: longestWords)) }

    package mutating func write(words: String?) { write(words?.cut(toBytes: longestWords)) }

    package mutating func write(_ samples: UnsafeBufferPointer<Float>) {
        bytes.append(contentsOf: UnsafeRawBufferPointer(samples))
    }

    package mutating func write(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }
}

/// One end of a connection between host and worker.
package final class FrameSocket: Sendable {
    package let descriptor: Descriptor

    /// The receive buffer, which has space for any frame. There is one buffer per socket, because frames are frequent and mostly short.
    private let inbox = Mutex([UInt8](repeating: 0, count: largestFrame))

    package init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// Sends a frame, optionally with a descriptor. Blocks while the queue is full, or throws `EAGAIN` if `wait` is
    /// false. `EPIPE` or `ECONNRESET` means that the peer has closed its end. After any error other than `EAGAIN`, the
    /// connection ends for both sides, because a lost frame must not be mistaken for the end of the audio.
    package func send(_ bytes: [UInt8], passing passed: Descriptor? = nil, wait: Bool = true) throws(Errno) {
        do {
            try Errno.check {
                bytes.withUnsafeBytes { linux_send(descriptor.raw, $0.baseAddress, $0.count, passed?.raw ?? -1, wait) }
            }
        } catch {
            if error.code != EAGAIN { shutDown() }
            throw error
        }
    }

    /// Ends the connection for both sides. Frames that have arrived can still be received.
    package func shutDown() { shutdown(descriptor.raw, Int32(SHUT_RDWR)) }

    /// Returns the next frame, with a descriptor if one was passed; nil if the peer has closed its end. Throws `EAGAIN`
    /// if there is no frame and `wait` is false, and `EMSGSIZE` if the frame is too long.
    package func receive(wait: Bool = true) throws(Errno) -> (bytes: [UInt8], passed: Descriptor?)? {
        let received = take(wait)
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
