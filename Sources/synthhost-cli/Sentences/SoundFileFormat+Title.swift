import SynthAudio

extension SoundFileFormat {
    /// What people call it.
    var title: String {
        switch self {
        case .wav: "WAV"
        case .flac: "FLAC"
        case .mp3: "MP3"
        case .opus: "Opus"
        case .ogg: "Ogg Vorbis"
        }
    }
}
