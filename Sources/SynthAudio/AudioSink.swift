/// The destination of sound: a device, a file, a stream.
///
/// One thread calls `begin`, `write` and `finish`, in this order; `stop` and `queuedFrames` may be called from any
/// thread at any time. A sink is for one stream only.
package protocol AudioSink: AnyObject, Sendable {
    /// Opens the sink for one stream; the format never changes afterwards. A FIFO without a reader blocks here, until
    /// `stop` at the latest.
    ///
    /// Does nothing after `stop`.
    func begin(_ format: AudioFormat) throws(AudioError)

    /// Takes whole frames of interleaved samples in [-1, 1]; other samples are clamped. Blocks while the device, the
    /// disk or the reader is too slow. After `stop` it takes nothing and returns at once.
    ///
    /// After an error the sink takes nothing more; `finish` is still called and does not repeat the error.
    func write(_ samples: ArraySlice<Float>) throws(AudioError)

    /// Ends the stream. A device plays out what is queued (this blocks, until `stop` at the latest), a file becomes valid
    /// and gets its name. After `stop` it is the same as `finishEarly`.
    func finish() throws(AudioError)

    /// Ends a stream of which not all came. A file that was there stays, and what came gets a free name beside it.
    func finishEarly() throws(AudioError)

    /// The path of the regular file that holds what came, once it has ended; nil = there is none.
    var storedPath: String? { get }

    /// Drops what is queued. Returns at once; a `write` or `finish` that blocks returns soon. May be called repeatedly.
    func stop()

    /// Frames that were taken and are not played yet; 0 if the sink stores sound.
    func queuedFrames() -> Int

    /// Whether the sound is played in real time, so that late sound leaves a gap.
    var isHeard: Bool { get }

    /// Whether a listener or reader waits for the first sound: a device, or a pipe.
    var isAwaited: Bool { get }
}

extension AudioSink {
    package func finishEarly() throws(AudioError) { try finish() }
    package var storedPath: String? { nil }
    package func queuedFrames() -> Int { 0 }
    package var isHeard: Bool { false }
    package var isAwaited: Bool { isHeard }
}

/// A sink that drops all sound, for speech of which only the outcome matters.
package final class DiscardingSink: AudioSink {
    package init() {}

    package func begin(_ format: AudioFormat) throws(AudioError) {}
    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {}
    package func finish() throws(AudioError) {}
    package func stop() {}
}
