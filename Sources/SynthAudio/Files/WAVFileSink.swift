import Synchronization
package import SynthSystem

/// Writes a WAV file with 16-bit samples. A file larger than 4 GiB is converted to RF64.
///
/// A regular file appears at its path only when it is finished; until then, an existing file is unchanged. A FIFO or
/// standard output receives a header with unknown sizes (0xFFFFFFFF) and no data after the audio. If `finish` is called
/// without `begin`, a stream contains no frames, and no file is created.
package final class WAVFileSink: AudioSink {
    private struct State: ~Copyable {
        var hasBegun = false
        var stream: WAVStream?
        var storedPath: String?
    }

    private let target: OutputTarget
    private let tags: SoundFileTags
    private let riffLimit: Int
    private let signal = StopSignal()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: a file, which may already exist. `/dev/stdout` and `/dev/fd/N` refer to descriptors of this process.
    ///   - inUse: files that must not be replaced.
    package convenience init(
        path: String, tags: SoundFileTags = .none, sparing inUse: FilesInUse = FilesInUse()
    ) {
        self.init(OutputTarget(path: path, sparing: inUse), tags)
    }

    /// Streams to a descriptor that the caller keeps open and closes.
    package convenience init(descriptor: Int32, tags: SoundFileTags = .none) {
        self.init(.descriptor(descriptor), tags)
    }

    /// - Parameter riffLimit: the size above which a regular file is converted to RF64.
    init(_ target: OutputTarget, _ tags: SoundFileTags = .none, riffLimit: Int = WAVHeader.largestRIFF) {
        self.target = target
        self.tags = tags
        self.riffLimit = riffLimit
    }

    package var isAwaited: Bool { target.isPipe }

    package var storedPath: String? { state.withLock { $0.storedPath } }

    package func begin(_ format: AudioFormat) throws(AudioError) {
        try signal.check()
        try format.check()
        if signal.isRaised { return }
        try state.withLock { (state) throws(AudioError) in
            guard !state.hasBegun else { return }
            state.hasBegun = true
            guard let output = try target.open(until: signal) else { return }
            var stream = WAVStream(
                output, header: WAVHeader(format: format, tags: tags, riffLimit: riffLimit))
            try stream.begin(until: signal)
            state.stream = consume stream
        }
    }

    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        try state.withLock { (state) throws(AudioError) in
            do throws(AudioError) {
                try state.stream?.write(samples, until: signal)
            } catch {
                // Report the first error.
                state.storedPath = try? state.stream?.finish(.failed)
                state.stream = nil
                throw error
            }
        }
    }

    package func finish() throws(AudioError) { try finish(signal.isRaised ? .stopped : .whole) }

    package func finishEarly() throws(AudioError) { try finish(.stopped) }

    private func finish(_ ending: FileEnding) throws(AudioError) {
        if !target.isFile, state.withLock({ !$0.hasBegun }) { try begin(.silent) }
        try state.withLock { (state) throws(AudioError) in
            guard state.stream != nil else { return }
            defer { state.stream = nil }
            state.storedPath = try state.stream?.finish(ending) ?? nil
        }
    }

    package func stop() {
        signal.raise()
    }
}

/// A WAV file or stream that is being written.
struct WAVStream: ~Copyable {
    private var output: OutputDescriptor
    private var header: WAVHeader
    private let headerSize: Int
    private var scratch: [Int16] = []

    private var format: AudioFormat { header.format }
    private var bytesPerFrame: Int { header.bytesPerFrame }

    /// - Parameter header: the header of an empty file or, for a stream, a header without sizes.
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

    /// Completes a file, which then appears at its path. If writing ended before any audio was written, the file is
    /// discarded.
    ///
    /// - Returns: the path of the file, or nil if there is none.
    mutating func finish(_ ending: FileEnding) throws(AudioError) -> String? {
        if ending != .whole, dataSize == 0 { return nil }
        // Most programs consider a file empty if its header contains no sizes, so such a file must not appear at its
        // path.
        try stateSize()
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
