import Synchronization

/// Stores sound in one of libsndfile's formats, at the closest rate that the format knows.
///
/// A regular file gets its name by `finish`, or after an error that leaves some sound; before, a file of that name stays
/// as it was, and a process that is killed leaves nothing. All these formats can also be streamed to a pipe. After
/// `finish` without `begin` there is one frame of silence, because they have no valid file without any.
final class EncodedFileSink: AudioSink {
    private struct State: ~Copyable {
        var hasBegun = false
        var stream: EncodedStream?
    }

    private let target: OutputTarget
    private let options: SoundFileOptions
    private let library: SoundFileLibrary
    private let signal = StopSignal()
    private let state = Mutex(State())

    /// - Parameter library: one that offers the format.
    init(_ target: OutputTarget, _ options: SoundFileOptions, _ library: SoundFileLibrary) {
        self.target = target
        self.options = options
        self.library = library
    }

    var isAwaited: Bool { target.isPipe }

    func begin(_ format: AudioFormat) throws(AudioError) {
        try signal.check()
        try format.check()
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            guard !state.hasBegun else { return }
            state.hasBegun = true
            guard let output = try target.openReplacing(until: signal) else { return }
            state.stream = try EncodedStream(
                DescribedDestination(output, until: signal), format, options, library)
        }
    }

    func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            do throws(AudioError) {
                try state.stream?.write(samples)
            } catch {
                state.stream?.keep()
                state.stream = nil
                throw error
            }
        }
    }

    func finish() throws(AudioError) {
        if state.withLock({ !$0.hasBegun }) { try begin(.silent) }
        try state.withLock { (state) throws(AudioError) in
            defer { state.stream = nil }
            try state.stream?.finish()
        }
    }

    func stop() {
        signal.raise()
    }
}
