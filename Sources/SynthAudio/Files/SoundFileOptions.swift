import Glibc
import Synchronization
package import SynthSystem

/// The options for writing an audio file.
package struct SoundFileOptions: Equatable, Sendable {
    /// The range of qualities, from 0 (smallest file) to 10 (best quality). Lossless formats ignore the quality.
    package static let qualities = 0...10
    package static let usualQuality = 5

    package var format: SoundFileFormat
    /// The encoder quality, clamped to `qualities` when used.
    package var quality: Int
    package var tags: SoundFileTags

    package init(
        _ format: SoundFileFormat, quality: Int = SoundFileOptions.usualQuality, tags: SoundFileTags = .none
    ) {
        self.format = format
        self.quality = quality
        self.tags = tags
    }

    /// Creates a sink for a file, which may already exist. `/dev/stdout` and `/dev/fd/N` refer to descriptors of this process.
    ///
    /// - Parameters:
    ///   - inUse: files that must not be replaced.
    ///   - mode: the mode of a new file, before applying the umask. If it grants access only to the owner, the file is private
    ///     even if it replaces a file that others can read.
    /// - Throws: `formatMissing`, `encoderNotLoaded`.
    package func sink(
        path: String, sparing inUse: FilesInUse = FilesInUse(), mode: UInt32 = 0o666
    ) throws(AudioError) -> any AudioSink {
        SoundFileSink(OutputTarget(path: path, sparing: inUse, mode: mode), try content())
    }

    /// Creates a sink for a new file. If the path exists when the file is finished, the existing file is kept and the new file
    /// is deleted.
    ///
    /// - Throws: `formatMissing`, `encoderNotLoaded`.
    package func sink(
        newFile path: String, sparing inUse: FilesInUse = FilesInUse()
    ) throws(AudioError) -> any AudioSink {
        SoundFileSink(.new(path, inUse), try content())
    }

    /// Creates a sink that streams to a descriptor. The caller must keep the descriptor open and close it afterwards.
    ///
    /// - Throws: `formatMissing`, `encoderNotLoaded`.
    package func sink(descriptor: Int32) throws(AudioError) -> any AudioSink {
        SoundFileSink(.descriptor(descriptor), try content())
    }
}

extension SoundFileFormat {
    /// Returns the format for a new file: the requested format or, by default, the format of the file extension. The default
    /// is WAV if there is no extension, or if the extension is unknown and the path is not a regular file (for example, a pipe).
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

    /// Returns the formats that the installed libsndfile can write. Loads the library.
    ///
    /// - Throws: `encoderNotLoaded`.
    package static func written() throws(AudioError) -> [SoundFileFormat] { try SoundFileLibrary.ofMachine().formats }

    /// Returns the format, or throws if this machine cannot write it. Call this in advance so that the error does not
    /// occur after an hour of synthesis.
    package func orMissing() throws(AudioError) -> SoundFileFormat {
        guard self != .wav else { return self }
        let written = try SoundFileFormat.written()
        guard written.contains(self) else { throw .formatMissing(self, known: written) }
        return self
    }

    /// Returns libsndfile's compression level, from 0 to 1, for a quality, or nil if the format has only one quality.
    ///
    /// For Opus, the level maps linearly to a bit rate from 256 kbit/s (level 0) to 6 kbit/s (level 1) per channel. MP3 uses a
    /// variable bit rate, from LAME's V9 to V0. Vorbis uses its own scale from 0 to 10.
    func compression(quality: Int) -> Double? {
        let quality = Self.usable(quality)
        switch self {
        case .wav, .flac: return nil
        case .opus: return 1 - (Double(Self.opusBitrate(quality: Int(quality), channels: 1)) / 1000 - 6) / 250
        case .mp3: return 0.9 * (1 - quality / 10)
        case .ogg: return 1 - quality / 10
        }
    }

    /// Returns libsndfile's compression level for an MP3 stream with a constant bit rate. The bit rate is close to the
    /// average of a file with the same quality: each channel gets 32 kbit/s at quality 0, 64 kbit/s at 5 and 128 kbit/s
    /// at 10, multiplied by 1.5 at sample rates of 32 kHz and above. libsndfile maps the level to a range of bit rates
    /// that depends on the sample rate.
    static func streamCompression(quality: Int, _ sound: AudioFormat) -> Double {
        let range: ClosedRange<Double> =
            sound.sampleRate >= 32_000 ? 32...320 : sound.sampleRate >= 16_000 ? 8...160 : 8...64
        let rate = 32 * exp2(usable(quality) / 5) * (sound.sampleRate >= 32_000 ? 1.5 : 1) * Double(sound.channels)
        return (range.upperBound - min(max(rate, range.lowerBound), range.upperBound))
            / (range.upperBound - range.lowerBound)
    }

    /// Returns the bit rate in bits per second. Each channel gets 8,000 at quality 0, 32,000 at 5 and 128,000 at 10.
    static func opusBitrate(quality: Int, channels: Int) -> Int32 {
        Int32(clamping: channels) * Int32((8000 * exp2(0.4 * usable(quality))).rounded())
    }

    private static func usable(_ quality: Int) -> Double {
        let range = SoundFileOptions.qualities
        return Double(max(range.lowerBound, min(range.upperBound, quality)))
    }
}
