package import SynthAudio

/// An audio format: interleaved 32-bit floats, nominally from -1 to 1.
public struct SpeechFormat: Hashable, Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// Samples per frame.
    public let channels: Int

    /// Creates a format.
    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// Options for writing speech to a file.
public struct SpeechFileOptions: Hashable, Sendable {
    /// An audio file format.
    @nonexhaustive
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// 16-bit samples, RF64 above 4 GiB.
        case wav
        /// 16-bit samples with lossless compression, about half the size of WAV.
        case flac
        /// Plays everywhere. It supports sample rates from 8000 to 48000 Hz and up to two channels.
        case mp3
        /// The smallest files for speech. It supports 8000, 12000, 16000, 24000 and 48000 Hz and up to two channels.
        case opus
        /// Vorbis in Ogg, with up to two channels.
        case ogg
    }

    /// The file format, or nil to choose it by the file extension. A sample rate that the format does not support is
    /// converted to the next higher one. If there are more channels than the format supports, they are mixed to one.
    public var format: Format?

    /// The encoder quality: 0 produces the smallest file, 10 the best sound, and other values are clamped. For mono
    /// speech, 5 is about 32 kbit/s with Opus and 70 kbit/s with MP3 and Vorbis. WAV and FLAC are always lossless.
    public var quality: Int

    /// The title tag, up to 16384 bytes of UTF-8, or nil for none. Line breaks and control characters become spaces.
    public var title: String?

    /// The author tag, with the same limits as the title.
    public var author: String?

    /// Creates options.
    public init(format: Format? = nil, quality: Int = 5, title: String? = nil, author: String? = nil) {
        self.format = format
        self.quality = quality
        self.title = title
        self.author = author
    }

    package func resolved(for path: String) throws(AudioError) -> SoundFileOptions {
        SoundFileOptions(
            try SoundFileFormat.of(path: path, asked: format?.asked), quality: quality,
            tags: try SoundFileTags(title: title, author: author))
    }
}

extension SpeechFileOptions.Format {
    package init(_ format: SoundFileFormat) {
        self =
            switch format {
            case .wav: .wav
            case .flac: .flac
            case .mp3: .mp3
            case .opus: .opus
            case .ogg: .ogg
            }
    }

    fileprivate var asked: SoundFileFormat {
        switch self {
        case .wav: .wav
        case .flac: .flac
        case .mp3: .mp3
        case .opus: .opus
        case .ogg: .ogg
        }
    }
}
