/// Makes the bytes of a sound file while the sound comes, for a network: those of a stream whose length is not known.
///
/// It keeps nothing that was given. One thread at a time.
package final class SoundEncoder {
    private enum Form {
        case wav(AudioFormat)
        case encoded(EncodedStream, MemoryDestination)
        /// Nothing more is made.
        case ended
    }
    private var form: Form
    /// What comes before the first sound, until it is given.
    private var head: [UInt8] = []

    /// Of what is made: the closest rate that the format knows.
    package let sampleRate: Int

    /// - Parameter format: of the sound.
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

    /// The bytes that are ready now, which may be none; the file's head comes with the first of them.
    ///
    /// After an error there is nothing more.
    ///
    /// - Parameter samples: whole frames, interleaved.
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

    /// The last bytes. Without any sound they are a whole file of at most one frame.
    ///
    /// - Throws: as `encode`.
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
