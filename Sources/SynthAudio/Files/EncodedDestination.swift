import SynthSystem

/// A destination for encoded bytes. Not thread-safe.
protocol EncodedDestination: AnyObject {
    /// Whether earlier bytes can be overwritten. If false, `rewrite` and `truncate` are not called.
    var isRegularFile: Bool { get }

    /// The number of bytes written.
    var count: Int { get }

    /// Writes all bytes, in multiples of `unit` bytes so that a stream never ends in the middle of a unit.
    ///
    /// - Returns: false if the stream was stopped before all bytes were written.
    /// - Throws: `brokenPipe`, `outputNotWritten`.
    func write(_ bytes: UnsafeRawBufferPointer, unit: Int) throws(AudioError) -> Bool

    /// Overwrites existing bytes at `offset`.
    ///
    /// - Throws: `outputNotWritten`.
    func rewrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError)

    /// Removes all bytes after the first `count`.
    func truncate(to count: Int)

    /// Closes the destination.
    ///
    /// - Throws: `outputNotWritten`, `outputNotCreated`, `outputInUse`.
    func close() throws(AudioError)
}

extension EncodedDestination {
    /// Writes the bytes of all elements in memory order.
    func write(_ elements: [some BitwiseCopyable], unit: Int) throws(AudioError) -> Bool {
        try elements.span.withUnsafeBytes { (bytes) throws(AudioError) in try write(bytes, unit: unit) }
    }

    func rewrite(_ bytes: [UInt8], at offset: Int) throws(AudioError) {
        try bytes.span.withUnsafeBytes { (bytes) throws(AudioError) in try rewrite(bytes, at: offset) }
    }
}

/// A file or stream for encoded bytes.
final class DescribedDestination: EncodedDestination {
    private var output: OutputDescriptor
    private let signal: StopSignal
    /// How to complete the file when it is closed.
    var ending = FileEnding.whole
    /// The path of the resulting file, or nil if there is none.
    private(set) var storedPath: String?

    /// - Parameter signal: interrupts writes to a stream whose reader has stopped reading.
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

/// Stores encoded bytes in memory until `take` returns them. The encoder treats this destination as a stream.
final class MemoryDestination: EncodedDestination {
    private var bytes: [UInt8] = []

    let isRegularFile = false
    private(set) var count = 0

    /// Returns the bytes written since the last call.
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
