package import SynthSystem

/// Encodes an audio file that is not used until it is complete, so its header can state its length.
///
/// The unencoded audio is not stored. Not thread-safe.
package final class CompleteAudioFile {
    /// The stream, or nil after an error and after `finish`.
    private var stream: (any SoundStream)?
    /// The encoded bytes.
    package let bytes: SpooledBytes

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
        stream = try options.content().stream(to: SpooledDestination(bytes), format)
    }

    /// Encodes samples. Does nothing after an error.
    ///
    /// - Parameter samples: interleaved samples of complete frames.
    /// - Throws: `encodingFailed`, `conversionFailed`, `outputNotWritten`.
    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        do {
            try stream?.write(samples)
        } catch {
            stream = nil
            throw error
        }
    }

    /// Completes the file. If no audio was written, the file contains at most one frame.
    ///
    /// - Throws: the same errors as `write`.
    package func finish() throws(AudioError) {
        defer { stream = nil }
        try stream?.finish(isWhole: true)
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

    private func failure(_ error: Errno) -> AudioError {
        .outputNotWritten(name: .file(bytes.folder), code: error.code)
    }
}
