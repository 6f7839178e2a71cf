import System

/// A file or stream that takes an encoded sound.
final class DescribedDestination: EncodedDestination {
    private var output: OutputDescriptor
    private let signal: StopSignal
    /// How it is closed.
    var ending = FileEnding.whole
    /// The path of the file that it has become; nil = there is none.
    private(set) var storedPath: String?

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

    func close() throws(AudioError) { storedPath = try output.close(ending) }
}
