import Glibc
package import System

/// How a sound file is written.
package struct SoundFileOptions: Equatable, Sendable {
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

extension SoundFileFormat {
    /// The format of a file that is to be written: the one that is asked for, else that of the ending. A file without an
    /// ending, and anything that is no regular file, such as a pipe, is WAV if nothing else is said.
    ///
    /// - Throws: `endingUnknown`, `endingContradicts`.
    package static func of(path: String, asked: SoundFileFormat? = nil) throws(AudioError) -> SoundFileFormat {
        guard let ending = ending(of: path) else { return asked ?? .wav }
        guard let named = SoundFileFormat(ending: ending) else {
            guard let format = asked ?? (!OutputTarget(path: path).isFile ? .wav : nil) else {
                throw .endingUnknown(path: path)
            }
            return format
        }
        if let asked, asked != named { throw .endingContradicts(path: path, ending: named, asked: asked) }
        return named
    }

    /// The formats that the libsndfile of this machine writes. Loads it.
    ///
    /// - Throws: `encoderNotLoaded`.
    package static func written() throws(AudioError) -> [SoundFileFormat] { try SoundFileLibrary.ofMachine().formats }

    /// libsndfile's compression level, 0 to 1, for a quality; nil = it has one quality only.
    ///
    /// Opus: 8 kb/s a channel for 0, 32 for 5, 128 for 10, because libsndfile's level is linear from 256 to 6 kb/s.
    /// MP3: variable rate, from LAME's V9 to V0. Vorbis: its own scale from 0 to 10.
    func compression(quality: Int) -> Double? {
        let range = SoundFileOptions.qualities
        let quality = Double(max(range.lowerBound, min(range.upperBound, quality)))
        switch self {
        case .wav, .flac: return nil
        case .opus: return 1 - (8 * exp2(0.4 * quality) - 6) / 250
        case .mp3: return 0.9 * (1 - quality / 10)
        case .ogg: return 1 - quality / 10
        }
    }
}
