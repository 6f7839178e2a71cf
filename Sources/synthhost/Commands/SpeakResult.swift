import EngineWire
import LinuxSystem
import ModelStore
import SynthAudio
import SynthHost

/// What `speak --json` prints at its end.
struct SpeakResult: Encodable {
    let engine: String
    let voice: String
    let speaker: String?
    let output: String?
    let seconds: Double
    let frames: Int
    let sampleRate: Int?
    let channels: Int?
    let cancelled: Bool

    init(_ summary: SpeechSummary, _ choice: VoiceChoice, output: String?) {
        engine = choice.voice.engine
        voice = choice.voice.id
        speaker = choice.speaker
        self.output = output
        seconds = summary.duration.seconds
        frames = summary.frames
        sampleRate = summary.format?.sampleRate
        channels = summary.format?.channels
        cancelled = summary.wasCancelled
    }
}
