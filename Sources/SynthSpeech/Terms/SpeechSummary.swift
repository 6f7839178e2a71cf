package import SynthAudio
import SynthSystem

/// The result of speaking text.
package struct SpeechSummary: Equatable, Sendable {
    /// The audio format, or nil if the text contained no speech.
    package var format: AudioFormat?
    /// The number of frames passed to the sink, or 0 if the text contained no speech or if the speech was cancelled
    /// before the audio started.
    package var frames: Int
    package var wasCancelled: Bool
    /// The kind of timings in the timings file, or nil if none was written.
    package var timing: TimingsKind?
    /// The path of the timings file, or nil if none was written. The path differs from the requested one if the speech
    /// ended early and a file already existed at the requested path.
    package var timingsPath: String?
    /// The deviations from the request.
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

/// The progress of speaking text.
package enum SpeechProgress: Equatable, Sendable {
    /// The first audio is available.
    case began(AudioFormat)
    /// The number of text bytes whose audio has been passed to the sink, and the number of frames passed to the sink.
    case reached(textBytes: Int, frames: Int)
    /// An underrun occurred. Playback resumes when more audio is available.
    case buffering
}

/// The granularity of the timings.
package enum TimingsKind: String, Equatable, Sendable {
    case words, sentences
}
