package import SynthAudio

/// What became of a queue.
package struct QueueSummary: Equatable, Sendable {
    package var format: AudioFormat
    /// Handed to the sink; 0 = nothing was heard.
    package var frames: Int
    package var wasCancelled: Bool

    package var duration: Duration { .seconds(Double(frames) / Double(format.sampleRate)) }
}
