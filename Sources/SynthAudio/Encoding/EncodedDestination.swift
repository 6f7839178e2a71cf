import SynthSystem

/// A destination for encoded bytes. Not thread-safe.
protocol EncodedDestination: AnyObject {
    /// Whether earlier bytes can be overwritten; if not, `rewrite` and `truncate` are not called.
    var isRegularFile: Bool { get }

    /// The number of bytes written so far.
    var count: Int { get }

    /// Writes all bytes, in multiples of `unit` bytes, so that a stream is never cut within a unit.
    ///
    /// - Returns: false if the stream was stopped first.
    /// - Throws: `brokenPipe`, `outputNotWritten`.
    func write(_ bytes: UnsafeRawBufferPointer, unit: Int) throws(AudioError) -> Bool

    /// Overwrites existing bytes starting at `offset`.
    ///
    /// - Throws: `outputNotWritten`.
    func rewrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError)

    /// Drops everything after the first `count` bytes.
    func truncate(to count: Int)

    /// Closes the destination.
    ///
    /// - Throws: `outputNotWritten`, `outputNotCreated`.
    func close() throws(AudioError)
}

/// A file or stream for encoded bytes.
final class DescribedDestination: EncodedDestination {
    private var output: OutputDescriptor
    private let signal: StopSignal
    /// How to close the file.
    var ending = FileEnding.whole
    /// The path of the resulting file; nil if there is none.
    private(set) var storedPath: String?

    /// - Parameter signal: stops writes to a stream that is not being read.
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

/// Keeps encoded bytes in memory until they are taken. The encoder treats it as a stream.
final class MemoryDestination: EncodedDestination {
    private var bytes: [UInt8] = []

    let isRegularFile = false
    private(set) var count = 0

    /// The bytes since the last call.
    func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    func write(_ bytes: UnsafeRawBufferPointer, unit: Int) -> Bool {
        self.bytes.append(contentsOf: bytes)
        count += bytes.count
        return true
    }

    func rewrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) {}

    func truncate(to count: Int) {}

    func close() {}
}
