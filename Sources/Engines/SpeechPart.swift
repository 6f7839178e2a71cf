package import EngineWire

/// A piece of an utterance as it is spoken.
package enum SpeechPart: Equatable, Sendable {
    /// The first part, exactly once. An utterance without any part was empty.
    case begin(sampleRate: Int, channels: Int)
    /// Interleaved, finite samples, nominally -1…1, whole frames.
    case audio([Float])
    /// Before the audio that carries its frame.
    case event(SpeechEvent)
}
