import Synchronization
package import SynthSystem

/// Writes 16-bit little-endian samples without a header. A regular file appears at its path only when it is finished; until
/// then, an existing file is unchanged.
package final class RawSink: AudioSink {
    private struct State: ~Copyable {
        /// The output, or nil before `begin` and after an error.
        var output: OutputDescriptor?
        var bytesPerFrame = 1
        var scratch: [Int16] = []
        var storedPath: String?
    }

    private let target: OutputTarget
    private let signal = StopSignal()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: a file, which may already exist. `/dev/stdout` and `/dev/fd/N` refer to descriptors of this process.
    ///   - inUse: files that must not be replaced.
    package init(path: String, sparing inUse: FilesInUse = FilesInUse()) {
        target = OutputTarget(path: path, sparing: inUse)
    }

    /// Streams to a descriptor that the caller keeps open and closes.
    package init(descriptor: Int32) { target = .descriptor(descriptor) }

    package var isAwaited: Bool { target.isPipe }

    package var storedPath: String? { state.withLock { $0.storedPath } }

    package func begin(_ format: AudioFormat) throws(AudioError) {
        try signal.check()
        try format.check()
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            state.output = try target.open(until: signal)
            state.bytesPerFrame = format.channels * 2
        }
    }

    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        try state.withLock { (state) throws(AudioError) in
            let unit = state.bytesPerFrame
            var rest = samples
            while !rest.isEmpty, !signal.isRaised {
                let block = rest.prefix(4096 * unit)
                rest = rest.dropFirst(block.count)
                FloatPCM.convert(block, into: &state.scratch)
                do throws(AudioError) {
                    guard try state.output?.write(state.scratch, unit: unit, until: signal) ?? false else { return }
                } catch {
                    state.storedPath = try? state.output?.close(.failed)
                    state.output = nil
                    throw error
                }
            }
        }
    }

    package func finish() throws(AudioError) { try finish(signal.isRaised ? .stopped : .whole) }

    package func finishEarly() throws(AudioError) { try finish(.stopped) }

    private func finish(_ ending: FileEnding) throws(AudioError) {
        try state.withLock { (state) throws(AudioError) in
            guard let count = state.output?.count else { return }
            defer { state.output = nil }
            if ending == .whole || count > 0 { state.storedPath = try state.output?.close(ending) ?? nil }
        }
    }

    package func stop() {
        signal.raise()
    }
}
