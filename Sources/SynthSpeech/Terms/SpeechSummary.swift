package import SynthAudio
import SynthSystem

/// The result of a speech.
package struct SpeechSummary: Equatable, Sendable {
    /// The audio format, or nil if the text contained no speech.
    package var format: AudioFormat?
    /// The number of frames passed to the sink. 0 if the text contained no speech or the speech was cancelled before it
    /// started.
    package var frames: Int
    package var wasCancelled: Bool
    /// The kind of timings in the timings file, or nil if none was written.
    package var timing: TimingsKind?
    /// The path of the timings file, or nil if none was written. If the speech ended early and the requested file
    /// already exists, this is a different path.
    package var timingsPath: String?
    /// Deviations from the request.
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

/// Progress of a speech.
package enum SpeechProgress: Equatable, Sendable {
    /// The first audio is available.
    case began(AudioFormat)
    /// The amounts passed to the sink so far.
    case reached(textBytes: Int, frames: Int)
    /// The audio ran dry. Playback resumes when more is available.
    case buffering
}

/// The unit of a speech's timings.
package enum TimingsKind: String, Equatable, Sendable {
    case words, sentences
}
