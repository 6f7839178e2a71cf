package import SynthAudio
import SynthSystem

/// What became of a text.
package struct SpeechSummary: Equatable, Sendable {
    /// nil = there was nothing to say.
    package var format: AudioFormat?
    /// Handed to the sink; 0 = there was nothing to say, or it was cancelled before anything was said.
    package var frames: Int
    package var wasCancelled: Bool
    /// What the file of times says; nil = none was written.
    package var timing: TimingsKind?
    /// The path of that file, which is another one if the speech ended early and a file was there; nil = none was written.
    package var timingsPath: String?
    /// What was done otherwise than the text asks.
    package var notices: [SpeechNotice]

    package init(
        format: AudioFormat?, frames: Int, wasCancelled: Bool, timing: TimingsKind? = nil, timingsPath: String? = nil,
        notices: [SpeechNotice] = []
    ) {
        self.format = format
        self.frames = frames
        self.wasCancelled = wasCancelled
        self.timing = timing
        self.timingsPath = timingsPath
        self.notices = notices
    }

    package var duration: Duration {
        format.map { .seconds(Double(frames) / Double($0.sampleRate)) } ?? .zero
    }
}

/// What a speaker tells while it works.
package enum SpeechProgress: Equatable, Sendable {
    /// The first sound is there.
    case began(AudioFormat)
    /// Handed to the sink so far.
    case reached(textBytes: Int, frames: Int)
    /// The sound ran dry; it goes on as soon as there is more.
    case buffering
}

/// What the times of a speech belong to.
package enum TimingsKind: String, Equatable, Sendable {
    case words, sentences
}
