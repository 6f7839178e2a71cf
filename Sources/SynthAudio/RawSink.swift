import Synchronization

/// Streams 16-bit little-endian samples without any header to a descriptor that the caller keeps open and closes.
package final class RawSink: AudioSink {
    private struct State: ~Copyable {
        var output: OutputDescriptor
        var bytesPerFrame: Int?
        var scratch: [Int16] = []
    }

    private let signal = StopSignal()
    private let state: Mutex<State>

    package init(descriptor: Int32) {
        state = Mutex(State(output: OutputDescriptor(borrowing: descriptor)))
    }

    package func begin(_ format: AudioFormat) throws(AudioError) {
        try signal.check()
        try format.check()
        state.withLock { $0.bytesPerFrame = format.channels * 2 }
    }

    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        try state.withLock { (state) throws(AudioError) in
            guard let unit = state.bytesPerFrame else { return }
            var rest = samples
            while !rest.isEmpty {
                let block = rest.prefix(4096 * unit)
                rest = rest.dropFirst(block.count)
                FloatPCM.convert(block, into: &state.scratch)
                do throws(AudioError) {
                    guard try state.output.write(state.scratch, unit: unit, until: signal) else { return }
                } catch {
                    state.bytesPerFrame = nil
                    throw error
                }
            }
        }
    }

    package func finish() throws(AudioError) {
        state.withLock { $0.bytesPerFrame = nil }
    }

    package func stop() {
        signal.raise()
    }
}
