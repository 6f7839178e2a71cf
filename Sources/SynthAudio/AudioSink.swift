import Glibc
/// A destination for audio: a device, a file or a stream.
///
/// A single thread calls `begin`, `write` and `finish`, in this order. `stop` and `queuedFrames` may be called from any
/// thread at any time. A sink can be used only once.
package protocol AudioSink: AnyObject, Sendable {
    /// Opens the sink with a fixed format. Opening a FIFO blocks until it has a reader or `stop` is called.
    ///
    /// Does nothing after `stop`.
    func begin(_ format: AudioFormat) throws(AudioError)

    /// Writes complete frames of interleaved samples. Samples outside [-1, 1] are clamped. Blocks while the device,
    /// disk or reader cannot keep up. After `stop`, writes nothing and returns immediately.
    ///
    /// After an error, the sink accepts no more audio. The caller must still call `finish`, which does not throw the
    /// same error again.
    func write(_ samples: ArraySlice<Float>) throws(AudioError)

    /// Ends the stream. Blocks until a device has played its queue or `stop` is called. A file is completed and appears
    /// at its path. After `stop`, this is equivalent to `finishEarly`.
    func finish() throws(AudioError)

    /// Ends an incomplete stream. An existing file is not replaced; the incomplete audio is saved next to it under an unused
    /// name.
    func finishEarly() throws(AudioError)

    /// The path of the regular file that contains the audio, or nil if there is none. Set once the stream has ended.
    var storedPath: String? { get }

    /// Discards the queued audio. Returns immediately; a blocked `write` or `finish` returns soon afterwards.
    /// Idempotent.
    func stop()

    /// Returns the number of frames that have been written but not yet played, or 0 if the sink stores audio instead of
    /// playing it.
    func queuedFrames() -> Int

    /// Whether the audio is played in real time, in which case late audio causes a gap.
    var isHeard: Bool { get }

    /// Whether a listener or reader is waiting for the first audio. True for devices and pipes.
    var isAwaited: Bool { get }
}

extension AudioSink {
    package func finishEarly() throws(AudioError) { try finish() }
    package var storedPath: String? { nil }

    /// Deletes the file that contains the incomplete audio. Call this if incomplete audio is useless.
    package func deleteIncompleteFile() {
        if let storedPath { unlink(storedPath) }
    }

    /// Finishes the file, or deletes it if it cannot be completed.
    package func finishOrDelete() throws(AudioError) {
        do {
            try finish()
        } catch {
            // The file is complete but was saved under a different name.
            if case .outputInUse = error { throw error }
            deleteIncompleteFile()
            throw error
        }
    }

    package func queuedFrames() -> Int { 0 }
    package var isHeard: Bool { false }
    package var isAwaited: Bool { isHeard }
}

/// A sink that discards all audio, for requests that do not need it.
package final class DiscardingSink: AudioSink {
    package init() {}

    package func begin(_ format: AudioFormat) throws(AudioError) {}
    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {}
    package func finish() throws(AudioError) {}
    package func stop() {}
}
