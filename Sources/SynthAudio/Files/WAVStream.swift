/// A WAV file or stream while it is written.
struct WAVStream: ~Copyable {
    private var output: OutputDescriptor
    private let format: AudioFormat
    private let dataLimit: Int
    private var statedSize = 0
    private var scratch: [Int16] = []

    private var bytesPerFrame: Int { format.channels * 2 }

    init(_ output: consuming OutputDescriptor, format: AudioFormat, dataLimit: Int) {
        self.output = output
        self.format = format
        self.dataLimit = dataLimit
    }

    mutating func begin(until stop: StopSignal) throws(AudioError) {
        let header = WAVHeader(format: format, dataSize: output.isRegularFile ? 0 : nil)
        _ = try output.write(header.bytes, unit: WAVHeader.size, until: stop)
    }

    /// - Throws: `outputTooLong`, `outputNotWritten`, `brokenPipe`; a regular file is then valid, but shorter.
    mutating func write(_ samples: ArraySlice<Float>, until stop: StopSignal) throws(AudioError) {
        do throws(AudioError) {
            var rest = samples
            while !rest.isEmpty && !stop.isRaised {
                let block = rest.prefix(8192 * format.channels)
                rest = rest.dropFirst(block.count)
                if output.isRegularFile && dataSize + block.count * 2 > dataLimit {
                    throw .outputTooLong(name: output.name)
                }
                FloatPCM.convert(block, into: &scratch)
                guard try output.write(scratch, unit: bytesPerFrame, until: stop) else { break }
                if dataSize - statedSize >= format.sampleRate * bytesPerFrame { try stateSize() }
            }
        } catch {
            // The first error is the one to report.
            try? stateSize()
            throw error
        }
    }

    mutating func finish() throws(AudioError) {
        var failure: AudioError?
        do throws(AudioError) { try stateSize() } catch { failure = error }
        try output.close()
        if let failure { throw failure }
    }

    private var dataSize: Int { max(output.count - WAVHeader.size, 0) }

    private mutating func stateSize() throws(AudioError) {
        guard output.isRegularFile, output.count >= WAVHeader.size else { return }
        let whole = dataSize / bytesPerFrame * bytesPerFrame
        if whole != dataSize { output.truncate(to: WAVHeader.size + whole) }
        try output.rewriteStart(WAVHeader(format: format, dataSize: whole).bytes)
        statedSize = whole
    }
}
