package import System

/// How a sound file is written.
package struct SoundFileOptions: Hashable, Sendable {
    /// 0 = the smallest file, 10 = the best sound. A lossless format has one quality only.
    package static let qualities = 0...10
    package static let usualQuality = 5

    package var format: SoundFileFormat
    /// Values outside of `qualities` mean the nearest of them.
    package var quality: Int
    package var tags: SoundFileTags

    package init(
        _ format: SoundFileFormat, quality: Int = SoundFileOptions.usualQuality, tags: SoundFileTags = .none
    ) {
        self.format = format
        self.quality = quality
        self.tags = tags
    }

    /// A sink for a file that exists or not; `/dev/stdout` and `/dev/fd/N` mean descriptors of this process.
    ///
    /// - Parameter inUse: files that are not replaced.
    /// - Throws: `formatMissing`, `encoderNotLoaded`.
    package func sink(path: String, sparing inUse: FilesInUse = FilesInUse()) throws(AudioError) -> any AudioSink {
        if format == .wav { return WAVFileSink(path: path, tags: tags, sparing: inUse) }
        let target = OutputTarget(path: path, sparing: inUse)
        return EncodedFileSink(target, self, try SoundFileLibrary.offering(format))
    }

    /// A sink that streams to a descriptor that the caller keeps open and closes.
    ///
    /// - Throws: `formatMissing`, `encoderNotLoaded`.
    package func sink(descriptor: Int32) throws(AudioError) -> any AudioSink {
        if format == .wav { return WAVFileSink(descriptor: descriptor, tags: tags) }
        return EncodedFileSink(.descriptor(descriptor), self, try SoundFileLibrary.offering(format))
    }
}
