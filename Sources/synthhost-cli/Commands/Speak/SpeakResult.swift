import SynthAudio
import SynthHost
import System
import VoiceCatalogue

/// The result of `speak --json`.
struct SpeakResult: Encodable {
    /// One voice of a blend.
    struct Share: Encodable {
        let voice: String
        let speaker: String?
        let weight: Double
    }

    let engine: String
    let voice: String
    let speaker: String?
    /// Set if several voices were blended; `voice` is the first of them.
    let blend: [Share]?
    let output: String?
    /// Of the file or the stream; not set for a device and for raw samples.
    let format: String?
    let seconds: Double
    let frames: Int
    /// Of the speech; a format that does not know it holds another.
    let sampleRate: Int?
    let channels: Int?
    let cancelled: Bool
    /// The file of times, and whether they are of words or of sentences.
    let timings: String?
    let timing: String?
    /// Set if other voices spoke because engines failed.
    let replaced: [ReplacedVoice]?

    init(
        _ summary: SpeechSummary, _ choice: VoiceChoice, _ destination: SoundDestination, _ timings: SpeakTimings?,
        _ replaced: ReplacedVoices
    ) {
        self.replaced = replaced.results
        engine = choice.voice.engine
        voice = choice.voice.id
        speaker = choice.speaker
        blend =
            choice.isBlend
            ? choice.shares.map { Share(voice: $0.voice.id, speaker: $0.speaker, weight: $0.weight) } : nil
        output = destination.storedFile
        format = destination.format?.rawValue
        seconds = summary.duration.seconds
        frames = summary.frames
        sampleRate = summary.format?.sampleRate
        channels = summary.format?.channels
        cancelled = summary.wasCancelled
        self.timings = summary.timing == nil ? nil : timings?.storedFile(summary)
        timing = summary.timing?.rawValue
    }
}
