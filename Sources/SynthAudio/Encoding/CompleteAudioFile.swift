package import SynthSystem

/// Encodes an audio file that is not used until it is complete, so its header can contain its length.
///
/// The unencoded audio is not stored. Not thread-safe.
package final class CompleteAudioFile {
    private enum Form {
        case wav(WAVHeader)
        case encoded(EncodedStream)
        case ended
    }
    private var form: Form
    /// The encoded bytes.
    package let bytes: SpooledBytes
    private let destination: SpooledDestination

    /// - Parameters:
    ///   - format: the input format.
    ///   - bytes: storage for the file. Must be empty.
    /// - Throws: `formatMissing`, `encoderNotLoaded`, `formatUnusable`, `encodingFailed`, `conversionFailed`,
    ///   `outputNotWritten`.
    package init(
        _ options: SoundFileOptions, _ format: AudioFormat, in bytes: SpooledBytes
    ) throws(AudioError) {
        try format.check()
        self.bytes = bytes
        destination = SpooledDestination(bytes)
        if options.format == .wav {
            let header = WAVHeader(format: format, dataSize: 0, tags: options.tags)
            form = .wav(header)
            try destination.add(header.bytes)
        } else {
            form = .encoded(
                try EncodedStream(destination, format, options, try SoundFileLibrary.offering(options.format)))
        }
    }

    /// Encodes samples. Does nothing after an error.
    ///
    /// - Parameter samples: interleaved samples of complete frames.
    /// - Throws: `encodingFailed`, `conversionFailed`, `outputNotWritten`.
    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        do {
            switch form {
            case .ended: return
            case .wav: try destination.add(FloatPCM.bytes16(of: samples))
            case .encoded(let stream): try stream.write(samples)
            }
        } catch {
            form = .ended
            throw error
        }
    }

    /// Completes the file. If no audio was written, the file contains at most one frame.
    ///
    /// - Throws: the same errors as `write`.
    package func finish() throws(AudioError) {
        defer { form = .ended }
        switch form {
        case .ended: return
        case .wav(var header):
            header.dataSize = max(0, bytes.count - header.size)
            try destination.rewriteStart(header.bytes)
        case .encoded(let stream): try stream.finish()
        }
    }
}

/// Stores encoded bytes. Earlier bytes can be overwritten.
final class SpooledDestination: EncodedDestination {
    private let bytes: SpooledBytes

    init(_ bytes: SpooledBytes) { self.bytes = bytes }

    var isRegularFile: Bool { true }

    var count: Int { bytes.count }

    func write(_ bytes: UnsafeRawBufferPointer, unit: Int) throws(AudioError) -> Bool {
        try rethrowing(self.bytes.append(bytes), as: failure)
        return true
    }

    func rewrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
        try rethrowing(self.bytes.overwrite(bytes, at: offset), as: failure)
    }

    func truncate(to count: Int) { bytes.truncate(to: count) }

    func close() {}

    func add(_ new: [UInt8]) throws(AudioError) {
        try new.span.withUnsafeBytes { (new) throws(AudioError) in _ = try write(new, unit: 1) }
    }

    func rewriteStart(_ start: [UInt8]) throws(AudioError) {
        try start.span.withUnsafeBytes { (start) throws(AudioError) in try rewrite(start, at: 0) }
    }

    private func failure(_ error: Errno) -> AudioError { .outputNotWritten(name: bytes.name, code: error.code) }
}

extension SpooledBytes {
    /// The name for error messages.
    fileprivate var name: OutputName { .file(folder) }
}
