package import SynthAudio

/// What a speaker tells while it works.
package enum SpeechProgress: Equatable, Sendable {
    /// The first sound is there.
    case began(AudioFormat)
    /// Handed to the sink so far.
    case reached(textBytes: Int, frames: Int)
    /// The sound ran dry; it goes on as soon as there is more.
    case buffering
}
