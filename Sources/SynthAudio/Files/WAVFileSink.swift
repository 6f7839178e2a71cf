import Synchronization

/// Stores sound as a WAV file of 16-bit samples, which is RF64 above 4 GiB.
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
    private let tags: SoundFileTags
    private let riffLimit: Int
    private let signal = StopSignal()
    private let state = Mutex(State())

    /// - Parameter path: a file that exists or not; `/dev/stdout` means the descriptor of this process.
    package convenience init(path: String, tags: SoundFileTags = .none) {
        self.init(path: path, tags: tags, riffLimit: WAVHeader.largestRIFF)
    }

    /// - Parameter riffLimit: the size from which on a regular file is RF64.
    init(path: String, tags: SoundFileTags = .none, riffLimit: Int) {
        target = OutputTarget(path: path)
        self.tags = tags
        self.riffLimit = riffLimit
    }

    /// Streams to a descriptor that the caller keeps open and closes.
    package init(descriptor: Int32, tags: SoundFileTags = .none) {
        target = .descriptor(descriptor)
        self.tags = tags
        riffLimit = WAVHeader.largestRIFF
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
            var stream = WAVStream(
                output, header: WAVHeader(format: format, tags: tags, riffLimit: riffLimit))
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
