package import SynthAudio

/// An audio format: interleaved 32-bit floats, nominally from -1 to 1.
public struct SpeechFormat: Hashable, Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// The number of channels.
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
        /// 16-bit PCM. Files larger than 4 GiB are written as RF64.
        case wav
        /// FLAC with 16-bit samples. Lossless, about half the size of WAV.
        case flac
        /// MP3, which nearly all players support. Supports sample rates from 8,000 to 48,000 Hz and up to two channels.
        case mp3
        /// Opus, which produces the smallest files for speech. Supports 8,000, 12,000, 16,000, 24,000 and 48,000 Hz and up to two channels.
        case opus
        /// Vorbis in Ogg, with up to two channels.
        case ogg
    }

    /// The file format, or nil to derive it from the file extension. If the format does not support the sample rate,
    /// the audio is converted to the next higher supported rate. If the format does not support the number of channels,
    /// the audio is mixed down to mono.
    public var format: Format?

    /// The encoder quality, from 0 (smallest file) to 10 (best sound). Other values are clamped. For mono speech, a
    /// quality of 5 results in about 32 kbit/s with Opus, and about 70 kbit/s with MP3 and Vorbis. WAV and FLAC are
    /// always lossless.
    public var quality: Int

    /// The title tag, up to 16,384 bytes of UTF-8, or nil for none. Line breaks and control characters are replaced with
    /// spaces.
    public var title: String?

    /// The author tag, or nil for none. It has the same limits as the title.
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
            try SoundFileFormat.of(path: path, asked: format.flatMap { SoundFileFormat(rawValue: $0.rawValue) }),
            quality: quality,
            tags: try SoundFileTags(title: title, author: author))
    }
}
