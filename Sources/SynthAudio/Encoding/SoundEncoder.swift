/// Encodes an audio file incrementally for a network connection, as a stream of unknown length.
///
/// Returned data is not retained. Not thread-safe.
package final class SoundEncoder {
    private enum Form {
        case wav(AudioFormat)
        case encoded(EncodedStream, MemoryDestination)
        case ended
    }
    private var form: Form
    /// The header bytes that have not been returned yet.
    private var head: [UInt8] = []

    /// The output sample rate in hertz: the nearest rate that the format supports.
    package let sampleRate: Int

    /// - Parameter format: the input format.
    /// - Throws: `formatMissing`, `encoderNotLoaded`, `formatUnusable`, `encodingFailed`, `conversionFailed`.
    package init(_ options: SoundFileOptions, _ format: AudioFormat) throws(AudioError) {
        try format.check()
        sampleRate = options.format.nearest(to: format).sampleRate
        if options.format == .wav {
            form = .wav(format)
            head = WAVHeader(format: format, tags: options.tags).bytes
        } else {
            let memory = MemoryDestination()
            form = .encoded(
                try EncodedStream(memory, format, options, try SoundFileLibrary.offering(options.format)), memory)
        }
    }

    /// Returns the bytes that are ready. May be empty. The first bytes include the file's header.
    ///
    /// Returns no more bytes after an error.
    ///
    /// - Parameter samples: interleaved samples of complete frames.
    /// - Throws: `encodingFailed`, `conversionFailed`.
    package func encode(_ samples: ArraySlice<Float>) throws(AudioError) -> [UInt8] {
        switch form {
        case .ended: return []
        case .wav:
            var scratch: [Int16] = []
            FloatPCM.convert(samples, into: &scratch)
            return takeHead() + scratch.span.withUnsafeBytes { Array($0) }
        case .encoded(let stream, let memory):
            do {
                try stream.write(samples)
            } catch {
                form = .ended
                throw error
            }
            return memory.take()
        }
    }

    /// Returns the remaining bytes. If no audio was encoded, they form a complete file with at most one frame.
    ///
    /// - Throws: the same errors as `encode`.
    package func finish() throws(AudioError) -> [UInt8] {
        defer { form = .ended }
        switch form {
        case .ended: return []
        case .wav: return takeHead()
        case .encoded(let stream, let memory):
            try stream.finish()
            return memory.take()
        }
    }

    private func takeHead() -> [UInt8] {
        defer { head = [] }
        return head
    }
}
