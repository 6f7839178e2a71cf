import Synchronization
import System

/// Stores sound in a format that a library encodes, at the closest rate that the format knows.
///
/// A regular file gets its name when it ends; before, a file of that name stays as it was. All these formats can also be
/// streamed to a pipe. After `finish` without `begin` a stream has one frame of silence, because they have no valid file
/// without any, and no file is made.
final class EncodedFileSink: AudioSink {
    private struct State: ~Copyable {
        var hasBegun = false
        var stream: EncodedStream?
        var output: DescribedDestination?
        var storedPath: String?

        mutating func end() {
            storedPath = output?.storedPath
            (stream, output) = (nil, nil)
        }
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

    var storedPath: String? { state.withLock { $0.storedPath } }

    func begin(_ format: AudioFormat) throws(AudioError) {
        try signal.check()
        try format.check()
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            guard !state.hasBegun else { return }
            state.hasBegun = true
            guard let opened = try target.open(until: signal) else { return }
            let output = DescribedDestination(opened, until: signal)
            state.stream = try EncodedStream(output, format, options, library)
            state.output = output
        }
    }

    func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            do throws(AudioError) {
                try state.stream?.write(samples)
            } catch {
                state.output?.ending = .failed
                state.stream?.keep()
                state.end()
                throw error
            }
        }
    }

    func finish() throws(AudioError) { try finish(signal.isRaised ? .stopped : .whole) }

    func finishEarly() throws(AudioError) { try finish(.stopped) }

    private func finish(_ ending: FileEnding) throws(AudioError) {
        if !target.isFile, state.withLock({ !$0.hasBegun }) { try begin(.silent) }
        try state.withLock { (state) throws(AudioError) in
            guard let stream = state.stream else { return }
            defer { state.end() }
            state.output?.ending = ending
            do throws(AudioError) {
                try stream.finish()
            } catch {
                state.output?.ending = .failed
                stream.keep()
                throw error
            }
        }
    }

    func stop() {
        signal.raise()
    }
}
