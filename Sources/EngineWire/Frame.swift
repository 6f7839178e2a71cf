// The frames between host and worker, both directions.
//
// One SOCK_SEQPACKET socket for control (descriptor 3 of the worker) and one for each lane, passed with the `open`
// frame. A frame is one message: it arrives whole or not at all, so after a cancel whole frames can be dropped and the
// stream stays in step. Every frame of a lane carries the serial of its request; an `end` always comes, also after a
// cancel. The worker ends if it cannot decode a frame.

/// A value that is sent as one frame.
package protocol Frame: Sendable {
    func write(to frame: inout FrameWriter)
    init(from frame: inout FrameReader) throws(MalformedFrame)
}

extension Frame {
    package var frameBytes: [UInt8] {
        var frame = FrameWriter()
        write(to: &frame)
        return frame.bytes
    }

    /// Decodes a whole frame. Throws also if bytes are left over.
    package init(frameBytes: ArraySlice<UInt8>) throws(MalformedFrame) {
        var frame = FrameReader(frameBytes)
        try self.init(from: &frame)
        try frame.end()
    }
}

/// The exit status of a worker whose sockets carried a malformed frame, or were closed by the engine.
package let damagedExitStatus: Int32 = 76

/// The exit status of a worker that could not start a thread.
package let threadlessExitStatus: Int32 = 71

/// The sample rates in hertz and the channel counts that an engine may use.
package let playableSampleRates: ClosedRange<UInt32> = 1000...384_000
package let playableChannels: ClosedRange<UInt32> = 1...2

/// The longest text of one request, in bytes.
package let longestText = 65_536

/// The longest message of an engine, or name in a message, in bytes.
package let longestWords = 8192

/// The largest frame of either side, in bytes. It holds the longest text with its voices, and fits into a socket with
/// the system's default buffers.
package let largestFrame = 160 * 1024

/// Samples in one audio frame at most: a sixth of a second of mono speech, so that a cancel never waits for more.
package let samplesPerFrame = 4096

/// The version of synthhost: what `--version` says, reported to engines and stored in the scan cache.
package let hostVersion = "0.1.0"
