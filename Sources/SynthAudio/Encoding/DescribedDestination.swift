/// A file or stream that takes an encoded sound.
final class DescribedDestination: EncodedDestination {
    private var output: OutputDescriptor
    private let signal: StopSignal

    /// - Parameter signal: ends a stream that nobody reads.
    init(_ output: consuming OutputDescriptor, until signal: StopSignal) {
        self.output = output
        self.signal = signal
    }

    var isRegularFile: Bool { output.isRegularFile }

    var count: Int { output.count }

    func write(_ bytes: UnsafeRawBufferPointer, unit: Int) throws(AudioError) -> Bool {
        try output.write(bytes, unit: unit, until: signal)
    }

    func rewrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
        try output.rewrite(bytes, at: offset)
    }

    func truncate(to count: Int) { output.truncate(to: count) }

    func close() throws(AudioError) { try output.close() }
}
