import Synchronization
package import SynthSystem

/// Writes audio to a file or stream.
///
/// A regular file appears at its path only when it is finished; until then, an existing file is unchanged. A FIFO or
/// standard output receives a stream of unknown length with nothing after the audio. If `finish` is called without
/// `begin`, no file is created; a WAV stream contains no frames, and a stream in a format that requires an encoding
/// library contains one frame of silence, because these formats require at least one frame.
package final class SoundFileSink: AudioSink {
    private struct State: ~Copyable {
        var hasBegun = false
        var stream: (any SoundStream)?
        var output: DescribedDestination?
        var storedPath: String?

        mutating func end() {
            storedPath = output?.storedPath
            (stream, output) = (nil, nil)
        }
    }

    private let target: OutputTarget
    private let content: SoundContent
    private let signal = StopSignal()
    private let state = Mutex(State())

    init(_ target: OutputTarget, _ content: SoundContent) {
        self.target = target
        self.content = content
    }

    /// Writes 16-bit little-endian samples without a header.
    ///
    /// - Parameters:
    ///   - path: a file, which may already exist. `/dev/stdout` and `/dev/fd/N` refer to descriptors of this process.
    ///   - inUse: files that must not be replaced.
    package static func raw(path: String, sparing inUse: FilesInUse = FilesInUse()) -> SoundFileSink {
        SoundFileSink(OutputTarget(path: path, sparing: inUse), .raw)
    }

    /// Streams 16-bit little-endian samples to a descriptor that the caller keeps open and closes.
    package static func raw(descriptor: Int32) -> SoundFileSink { SoundFileSink(.descriptor(descriptor), .raw) }

    package var isAwaited: Bool { target.isPipe }

    package var storedPath: String? { state.withLock { $0.storedPath } }

    package func begin(_ format: AudioFormat) throws(AudioError) {
        try signal.check()
        try format.check()
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            guard !state.hasBegun else { return }
            state.hasBegun = true
            guard let opened = try target.open(until: signal) else { return }
            let output = DescribedDestination(opened, until: signal)
            state.stream = try content.stream(to: output, format, until: signal)
            state.output = output
        }
    }

    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            do throws(AudioError) {
                try state.stream?.write(samples)
            } catch {
                // Report the first error.
                state.output?.ending = .failed
                state.stream?.keep()
                state.end()
                throw error
            }
        }
    }

    package func finish() throws(AudioError) { try finish(signal.isRaised ? .stopped : .whole) }

    package func finishEarly() throws(AudioError) { try finish(.stopped) }

    private func finish(_ ending: FileEnding) throws(AudioError) {
        if !content.isRaw, !target.isFile, state.withLock({ !$0.hasBegun }) { try begin(.silent) }
        try state.withLock { (state) throws(AudioError) in
            guard let stream = state.stream else { return }
            defer { state.end() }
            state.output?.ending = ending
            do throws(AudioError) {
                try stream.finish(isWhole: ending == .whole)
            } catch {
                state.output?.ending = .failed
                stream.keep()
                throw error
            }
        }
    }

    package func stop() {
        signal.raise()
    }
}
