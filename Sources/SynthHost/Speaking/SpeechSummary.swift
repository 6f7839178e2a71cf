package import SynthAudio

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
    package var notices: [SpeechNotice] = []

    package var duration: Duration {
        format.map { .seconds(Double(frames) / Double($0.sampleRate)) } ?? .zero
    }
}
