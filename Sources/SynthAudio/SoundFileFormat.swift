/// An audio file format. The raw value is the usual file extension without the dot.
package enum SoundFileFormat: String, CaseIterable, Equatable, Sendable {
    case wav, flac, mp3, opus
    /// Vorbis in Ogg.
    case ogg

    /// - Parameter ending: the extension without the dot, case-insensitive.
    package init?(ending: String) {
        switch ending.lowercased() {
        case "wav", "wave": self = .wav
        case "flac": self = .flac
        case "mp3": self = .mp3
        case "opus": self = .opus
        case "ogg", "oga": self = .ogg
        default: return nil
        }
    }

    /// Returns the part of a file name after the last dot if it can be an extension: one to eight letters and digits, including
    /// at least one letter. Returns nil for "chapter.01" or ".hidden".
    package static func ending(of path: String) -> String? {
        let name = path.last == "/" ? "" : path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...]
        let isEnding =
            (1...8).contains(ending.count) && ending.contains(where: \.isLetter)
            && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isEnding ? String(ending) : nil
    }

    /// Whether 16-bit samples are preserved exactly.
    package var isLossless: Bool { self == .wav || self == .flac }

    /// Returns the nearest supported format. If the sample rate is not supported, the result has the next higher
    /// supported rate or, if there is none, the highest. If the number of channels is not supported, the result has one
    /// channel.
    func nearest(to format: AudioFormat) -> AudioFormat {
        let rate = rates.map { $0.first { $0 >= format.sampleRate } ?? $0.last ?? format.sampleRate }
        return AudioFormat(
            sampleRate: rate ?? min(format.sampleRate, highestRate),
            channels: format.channels <= maximumChannels ? format.channels : 1)
    }

    /// The supported sample rates in ascending order, or nil if every rate up to the highest is supported.
    private var rates: [Int]? {
        switch self {
        case .wav, .flac, .ogg: nil
        case .mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
        case .opus: [8000, 12_000, 16_000, 24_000, 48_000]
        }
    }

    private var highestRate: Int { self == .ogg ? 192_000 : 384_000 }

    private var maximumChannels: Int { self == .wav || self == .flac ? 8 : 2 }
}
