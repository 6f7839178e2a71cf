/// A destination for audio: a device, a file or a stream.
///
/// One thread calls `begin`, `write` and `finish`, in this order; `stop` and `queuedFrames` may be called from any thread at
/// any time. A sink is used for a single stream.
package protocol AudioSink: AnyObject, Sendable {
    /// Opens the sink for one stream, whose format never changes. On a FIFO, blocks until it has a reader or `stop` is called.
    ///
    /// Does nothing after `stop`.
    func begin(_ format: AudioFormat) throws(AudioError)

    /// Writes whole frames of interleaved samples. Samples outside [-1, 1] are clamped. Blocks while the device, disk or reader is
    /// too slow. After `stop`, writes nothing and returns immediately.
    ///
    /// After an error the sink accepts nothing more; `finish` is still called and does not repeat the error.
    func write(_ samples: ArraySlice<Float>) throws(AudioError)

    /// Ends the stream. A device plays its queue to the end (this blocks, but no longer than until `stop` is called); a file
    /// becomes valid and gets its name. After `stop`, this is the same as `finishEarly`.
    func finish() throws(AudioError)

    /// Ends an incomplete stream. An existing file is kept, and the incomplete audio is saved next to it under an unused name.
    func finishEarly() throws(AudioError)

    /// The path of the regular file that contains the audio, once the stream has ended; nil if there is none.
    var storedPath: String? { get }

    /// Discards the queue. Returns immediately; a blocked `write` or `finish` returns soon after. May be called repeatedly.
    func stop()

    /// The number of frames that were written but not played yet; 0 if the sink saves audio instead of playing it.
    func queuedFrames() -> Int

    /// Whether the audio is played in real time, so that late data causes a gap.
    var isHeard: Bool { get }

    /// Whether a listener or reader is waiting for the first audio: true for devices and pipes.
    var isAwaited: Bool { get }
}

extension AudioSink {
    package func finishEarly() throws(AudioError) { try finish() }
    package var storedPath: String? { nil }
    package func queuedFrames() -> Int { 0 }
    package var isHeard: Bool { false }
    package var isAwaited: Bool { isHeard }
}

/// A sink that discards all audio, for requests whose audio is not needed.
package final class DiscardingSink: AudioSink {
    package init() {}

    package func begin(_ format: AudioFormat) throws(AudioError) {}
    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {}
    package func finish() throws(AudioError) {}
    package func stop() {}
}
