package import SynthAudio

/// The shape of sound: interleaved 32-bit floats, nominally from -1 to 1.
public struct SpeechFormat: Hashable, Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// Samples per frame.
    public let channels: Int

    /// A shape of sound.
    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// How a file of speech is written.
public struct SpeechFileOptions: Hashable, Sendable {
    /// A format of sound files.
    @nonexhaustive
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// 16-bit samples, RF64 above 4 GiB.
        case wav
        /// 16-bit samples, without loss at about half the size of WAV.
        case flac
        /// Plays everywhere. It knows rates from 8000 to 48000 Hz and at most two channels.
        case mp3
        /// The smallest for speech. It knows 8000, 12000, 16000, 24000 and 48000 Hz and at most two channels.
        case opus
        /// Vorbis in Ogg, with at most two channels.
        case ogg
    }

    /// nil = the format of the name's ending. Sound of a rate that the format does not know is converted to the next
    /// higher one, and more channels than it holds are mixed to one.
    public var format: Format?

    /// 0 is the smallest file, 10 the best sound; other values mean the nearest of them. For one channel of speech, 5 is
    /// about 32 kb/s with Opus, and 70 kb/s with MP3 and Vorbis. WAV and FLAC keep every sample whatever it says.
    public var quality: Int

    /// The title in the file, at most 16384 bytes of UTF-8; nil = none. Line breaks and control characters become spaces.
    public var title: String?

    /// The author in the file, as the title.
    public var author: String?

    /// What the properties say.
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
