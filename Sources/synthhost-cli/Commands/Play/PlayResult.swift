import SynthAudio
import SynthHost
import System
import VoiceCatalogue

/// The result of `play --json`.
struct PlayResult: Encodable {
    let files: [String]
    /// Not set if nothing was spoken.
    let engine: String?
    let voice: String?
    let output: String?
    /// Of the file or the stream; not set for a device.
    let format: String?
    let seconds: Double
    let frames: Int
    /// Of the mix; a format that does not know it holds another.
    let sampleRate: Int
    let channels: Int
    let cancelled: Bool
    /// Set if other voices spoke because engines failed.
    let replaced: [ReplacedVoice]?

    init(
        _ summary: QueueSummary, _ choice: VoiceChoice?, _ destination: SoundDestination, files: [String],
        _ replaced: ReplacedVoices
    ) {
        self.replaced = replaced.results
        self.files = files
        engine = choice?.voice.engine
        voice = choice?.voice.id
        output = destination.storedFile
        format = destination.format?.rawValue
        seconds = summary.duration.seconds
        frames = summary.frames
        sampleRate = summary.format.sampleRate
        channels = summary.format.channels
        cancelled = summary.wasCancelled
    }
}
