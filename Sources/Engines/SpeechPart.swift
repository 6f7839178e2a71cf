package import EngineWire

/// A piece of an utterance as it is spoken.
package enum SpeechPart: Equatable, Sendable {
    /// Once, before anything else. None = there was nothing to say.
    case begin(sampleRate: Int, channels: Int)
    /// Interleaved, finite samples, nominally -1…1, whole frames.
    case audio([Float])
    /// Before the audio that carries its frame.
    case event(SpeechEvent)
}
