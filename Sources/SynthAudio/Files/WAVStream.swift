import System

/// A WAV file or stream while it is written.
struct WAVStream: ~Copyable {
    private var output: OutputDescriptor
    private var header: WAVHeader
    private let headerSize: Int
    private var scratch: [Int16] = []

    private var format: AudioFormat { header.format }
    private var bytesPerFrame: Int { header.bytesPerFrame }

    /// - Parameter header: of a file without sound; that of a stream states no size.
    init(_ output: consuming OutputDescriptor, header: WAVHeader) {
        self.header = header
        self.header.dataSize = output.isRegularFile ? 0 : nil
        headerSize = self.header.size
        self.output = output
    }

    mutating func begin(until stop: StopSignal) throws(AudioError) {
        _ = try output.write(header.bytes, unit: headerSize, until: stop)
    }

    /// - Throws: `outputNotWritten`, `brokenPipe`.
    mutating func write(_ samples: ArraySlice<Float>, until stop: StopSignal) throws(AudioError) {
        var rest = samples
        while !rest.isEmpty && !stop.isRaised {
            let block = rest.prefix(8192 * format.channels)
            rest = rest.dropFirst(block.count)
            FloatPCM.convert(block, into: &scratch)
            guard try output.write(scratch, unit: bytesPerFrame, until: stop) else { break }
        }
    }

    /// Makes a file valid, and gives it its name, unless it ended before there was any sound.
    ///
    /// - Returns: its path; nil = there is none.
    mutating func finish(_ ending: FileEnding) throws(AudioError) -> String? {
        if ending != .whole, dataSize == 0 { return nil }
        do throws(AudioError) {
            try stateSize()
        } catch {
            _ = try? output.close(.failed)
            throw error
        }
        return try output.close(ending)
    }

    private var dataSize: Int { max(output.count - headerSize, 0) }

    private mutating func stateSize() throws(AudioError) {
        guard output.isRegularFile, output.count >= headerSize else { return }
        let whole = dataSize / bytesPerFrame * bytesPerFrame
        if whole != dataSize { output.truncate(to: headerSize + whole) }
        header.dataSize = whole
        try output.rewriteStart(header.bytes)
    }
}
