import Synchronization

/// Streams 16-bit little-endian samples without any header.
package final class RawSink: AudioSink {
    private struct State: ~Copyable {
        /// nil before `begin` and after an error.
        var output: OutputDescriptor?
        var bytesPerFrame = 1
        var scratch: [Int16] = []
    }

    private let target: OutputTarget
    private let signal = StopSignal()
    private let state = Mutex(State())

    /// - Parameter path: a file that exists or not; `/dev/stdout` means the descriptor of this process.
    package init(path: String) { target = OutputTarget(path: path) }

    /// Streams to a descriptor that the caller keeps open and closes.
    package init(descriptor: Int32) { target = .descriptor(descriptor) }

    package var isAwaited: Bool { target.isPipe }

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
            while !rest.isEmpty {
                let block = rest.prefix(4096 * unit)
                rest = rest.dropFirst(block.count)
                FloatPCM.convert(block, into: &state.scratch)
                do throws(AudioError) {
                    guard try state.output?.write(state.scratch, unit: unit, until: signal) ?? false else { return }
                } catch {
                    state.output = nil
                    throw error
                }
            }
        }
    }

    package func finish() throws(AudioError) {
        state.withLock { $0.output = nil }
    }

    package func stop() {
        signal.raise()
    }
}
