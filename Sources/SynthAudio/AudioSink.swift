/// Where sound goes: a device, a file, a stream.
///
/// One thread calls `begin`, `write` and `finish`, in this order; `stop` and `queuedFrames` may be called from any
/// thread at any moment. A sink serves one stream and is then used up.
package protocol AudioSink: AnyObject, Sendable {
    /// Opens the sink for one stream; the format never changes afterwards. A FIFO without a reader blocks here, until
    /// `stop` at the latest.
    ///
    /// Does nothing after `stop`.
    func begin(_ format: AudioFormat) throws(AudioError)

    /// Takes whole frames of interleaved samples in [-1, 1]; samples beyond are clamped. Blocks as long as the device,
    /// the disk or the reader is behind. After `stop` it takes nothing and returns at once.
    ///
    /// After an error the sink takes nothing more; `finish` is still called and does not repeat the error.
    func write(_ samples: ArraySlice<Float>) throws(AudioError)

    /// Ends the stream. A device plays out what is queued (this blocks, until `stop` at the latest), a file becomes valid.
    func finish() throws(AudioError)

    /// Drops what is queued. Returns at once; a `write` or `finish` that blocks returns soon. May be called repeatedly.
    func stop()

    /// Frames that were taken and are not heard yet; 0 where sound is stored, not heard.
    func queuedFrames() -> Int

    /// Whether somebody listens while it plays, so that sound that comes too late leaves a gap.
    var isHeard: Bool { get }

    /// Whether somebody waits for the first sound: a device, or a pipe.
    var isAwaited: Bool { get }
}

extension AudioSink {
    package func queuedFrames() -> Int { 0 }
    package var isHeard: Bool { false }
    package var isAwaited: Bool { isHeard }
}
