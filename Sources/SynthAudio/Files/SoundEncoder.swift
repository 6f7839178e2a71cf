/// Encodes an audio file incrementally for a network connection, as a stream of unknown length.
///
/// Returned data is not retained. Not thread-safe.
package final class SoundEncoder {
    /// The stream, or nil after an error and after `finish`.
    private var stream: (any SoundStream)?
    private let memory = MemoryDestination()

    /// The output sample rate in hertz: the nearest rate that the format supports.
    package let sampleRate: Int

    /// - Parameter format: the input format.
    /// - Throws: `formatMissing`, `encoderNotLoaded`, `formatUnusable`, `encodingFailed`, `conversionFailed`.
    package init(_ options: SoundFileOptions, _ format: AudioFormat) throws(AudioError) {
        try format.check()
        sampleRate = options.format.nearest(to: format).sampleRate
        stream = try options.content().stream(to: memory, format)
    }

    /// Returns the bytes that are ready. May be empty. The first bytes include the file's header.
    ///
    /// Returns no more bytes after an error.
    ///
    /// - Parameter samples: interleaved samples of complete frames.
    /// - Throws: `encodingFailed`, `conversionFailed`.
    package func encode(_ samples: ArraySlice<Float>) throws(AudioError) -> [UInt8] {
        guard let stream else { return [] }
        do {
            try stream.write(samples)
        } catch {
            self.stream = nil
            throw error
        }
        return memory.take()
    }

    /// Returns the remaining bytes. If no audio was encoded, they form a complete file with at most one frame.
    ///
    /// - Throws: the same errors as `encode`.
    package func finish() throws(AudioError) -> [UInt8] {
        guard let stream else { return [] }
        self.stream = nil
        try stream.finish(isWhole: true)
        return memory.take()
    }
}
