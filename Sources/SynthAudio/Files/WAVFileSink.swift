import Synchronization

/// Stores sound as a WAV file of 16-bit samples.
///
/// The file is truncated by `begin`, not before. A regular file is valid at any time: its header is updated after each
/// second of sound and by `finish`. A FIFO or standard output gets a header with unknown sizes (0xFFFFFFFF) and nothing
/// after the sound. After `finish` without `begin`, the file has no frames.
package final class WAVFileSink: AudioSink {
    private struct State: ~Copyable {
        var hasBegun = false
        var stream: WAVStream?
    }

    private let target: OutputTarget
    private let dataLimit: Int
    private let signal = StopSignal()
    private let state = Mutex(State())

    /// - Parameter path: a file that exists or not; `/dev/stdout` means the descriptor of this process.
    package convenience init(path: String) {
        self.init(path: path, dataLimit: WAVHeader.largestDataSize)
    }

    /// - Parameter dataLimit: bytes of sound in a regular file.
    init(path: String, dataLimit: Int) {
        target = OutputTarget(path: path)
        self.dataLimit = dataLimit
    }

    /// Streams to a descriptor that the caller keeps open and closes.
    package init(descriptor: Int32) {
        target = .descriptor(descriptor)
        dataLimit = WAVHeader.largestDataSize
    }

    package var isAwaited: Bool { target.isPipe }

    package func begin(_ format: AudioFormat) throws(AudioError) {
        try signal.check()
        try format.check()
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            guard !state.hasBegun else { return }
            state.hasBegun = true
            guard let output = try target.open(until: signal) else { return }
            var stream = WAVStream(output, format: format, dataLimit: dataLimit)
            try stream.begin(until: signal)
            state.stream = consume stream
        }
    }

    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        try state.withLock { (state) throws(AudioError) in
            do throws(AudioError) {
                try state.stream?.write(samples, until: signal)
            } catch {
                state.stream = nil
                throw error
            }
        }
    }

    package func finish() throws(AudioError) {
        if state.withLock({ !$0.hasBegun }) { try begin(.silent) }
        try state.withLock { (state) throws(AudioError) in
            defer { state.stream = nil }
            try state.stream?.finish()
        }
    }

    package func stop() {
        signal.raise()
    }
}
