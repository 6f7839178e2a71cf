/// A destination for audio: a device, a file, a stream.
///
/// One thread calls `begin`, `write` and `finish`, in this order; `stop` and `queuedFrames` may be called from any
/// thread at any time. A sink is used for a single stream.
package protocol AudioSink: AnyObject, Sendable {
    /// Opens the sink for one stream; its format never changes. Blocks on a FIFO without a reader, until `stop` at the
    /// latest.
    ///
    /// Does nothing after `stop`.
    func begin(_ format: AudioFormat) throws(AudioError)

    /// Writes whole frames of interleaved samples in [-1, 1]; other samples are clamped. Blocks while the device, the
    /// disk or the reader is too slow. After `stop` it writes nothing and returns at once.
    ///
    /// After an error the sink accepts nothing more; `finish` is still called and does not repeat the error.
    func write(_ samples: ArraySlice<Float>) throws(AudioError)

    /// Ends the stream. A device plays its queue to the end (this blocks, until `stop` at the latest), and a file
    /// becomes valid and gets its name. After `stop` this is the same as `finishEarly`.
    func finish() throws(AudioError)

    /// Ends an incomplete stream. An existing file is kept, and the incomplete audio gets a free name next to it.
    func finishEarly() throws(AudioError)

    /// The path of the regular file with the audio, once the stream has ended; nil if there is none.
    var storedPath: String? { get }

    /// Drops the queue. Returns at once; a blocked `write` or `finish` returns soon after. May be called repeatedly.
    func stop()

    /// The number of frames that were written and not played yet; 0 if the sink stores audio.
    func queuedFrames() -> Int

    /// Whether the audio is played in real time, so that late data causes a gap.
    var isHeard: Bool { get }

    /// Whether a listener or reader is waiting for the first audio: true for a device or a pipe.
    var isAwaited: Bool { get }
}

extension AudioSink {
    package func finishEarly() throws(AudioError) { try finish() }
    package var storedPath: String? { nil }
    package func queuedFrames() -> Int { 0 }
    package var isHeard: Bool { false }
    package var isAwaited: Bool { isHeard }
}

/// A sink that discards all audio, for speech of which only the outcome matters.
package final class DiscardingSink: AudioSink {
    package init() {}

    package func begin(_ format: AudioFormat) throws(AudioError) {}
    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {}
    package func finish() throws(AudioError) {}
    package func stop() {}
}
