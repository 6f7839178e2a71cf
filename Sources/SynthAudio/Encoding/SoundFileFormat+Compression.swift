import Glibc

extension SoundFileFormat {
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
