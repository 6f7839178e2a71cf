package import SynthSystem

/// Makes a sound file that is taken when it is whole, so that its header says how long it is.
///
/// It keeps nothing that was given but the file itself. One thread at a time.
package final class WholeSound {
    private enum Form {
        case wav(WAVHeader)
        case encoded(EncodedStream)
        /// Nothing more is made.
        case ended
    }
    private var form: Form
    /// What was made so far.
    package let bytes: SpooledBytes
    private let destination: SpooledDestination

    /// - Parameters:
    ///   - format: of the sound.
    ///   - bytes: where the file is made; empty.
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

    /// After an error there is nothing more.
    ///
    /// - Parameter samples: whole frames, interleaved.
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

    /// The file is whole. Without any sound it has at most one frame.
    ///
    /// - Throws: as `write`.
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

/// Takes an encoded sound; earlier bytes can be written again.
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
    /// What people are told if it takes nothing more.
    fileprivate var name: OutputName { .file(folder) }
}
