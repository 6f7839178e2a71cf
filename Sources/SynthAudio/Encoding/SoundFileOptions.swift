import Glibc
import Synchronization
package import SynthSystem

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
    /// - Parameters:
    ///   - inUse: files that are not replaced.
    ///   - mode: of a new file, less the mask of this process. With one for its owner alone, a file that it replaces gives
    ///     nobody else more.
    /// - Throws: `formatMissing`, `encoderNotLoaded`.
    package func sink(
        path: String, sparing inUse: FilesInUse = FilesInUse(), mode: UInt32 = 0o666
    ) throws(AudioError) -> any AudioSink {
        try sink(OutputTarget(path: path, sparing: inUse, mode: mode))
    }

    /// A sink for a file that takes the place of nothing: if something has its name at the end, that stays, and this one is
    /// gone.
    ///
    /// - Throws: `formatMissing`, `encoderNotLoaded`.
    package func sink(
        newFile path: String, sparing inUse: FilesInUse = FilesInUse()
    ) throws(AudioError) -> any AudioSink {
        try sink(.new(path, inUse))
    }

    private func sink(_ target: OutputTarget) throws(AudioError) -> any AudioSink {
        if format == .wav { return WAVFileSink(target, tags) }
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
    /// That of Opus is linear from 256 to 6 kb/s a channel. MP3: variable rate, from LAME's V9 to V0. Vorbis: its own scale from 0 to 10.
    func compression(quality: Int) -> Double? {
        let quality = Self.usable(quality)
        switch self {
        case .wav, .flac: return nil
        case .opus: return 1 - (Double(Self.opusBitrate(quality: Int(quality), channels: 1)) / 1000 - 6) / 250
        case .mp3: return 0.9 * (1 - quality / 10)
        case .ogg: return 1 - quality / 10
        }
    }

    /// libsndfile's compression level for an MP3 stream with a constant bit rate. The rate is about the mean of a file of the same
    /// quality: per channel 32 kb/s for 0, 64 for 5, 128 for 10, and 1.5 times that from 32 kHz on. libsndfile maps the level to a range
    /// of rates that depends on the sample rate.
    static func streamCompression(quality: Int, _ sound: AudioFormat) -> Double {
        let range: ClosedRange<Double> =
            sound.sampleRate >= 32_000 ? 32...320 : sound.sampleRate >= 16_000 ? 8...160 : 8...64
        let rate = 32 * exp2(usable(quality) / 5) * (sound.sampleRate >= 32_000 ? 1.5 : 1) * Double(sound.channels)
        return (range.upperBound - min(max(rate, range.lowerBound), range.upperBound))
            / (range.upperBound - range.lowerBound)
    }

    /// In bits a second: for each channel 8000 for 0, 32 000 for 5, 128 000 for 10.
    static func opusBitrate(quality: Int, channels: Int) -> Int32 {
        Int32(clamping: channels) * Int32((8000 * exp2(0.4 * usable(quality))).rounded())
    }

    private static func usable(_ quality: Int) -> Double {
        let range = SoundFileOptions.qualities
        return Double(max(range.lowerBound, min(range.upperBound, quality)))
    }
}
