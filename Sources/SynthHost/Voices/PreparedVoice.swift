package import EngineWire
package import SynthAudio

/// A voice with everything that an engine is handed to speak with it.
package struct PreparedVoice: Sendable {
    package let load: LoadRequest
    package let use: VoiceUse
    /// What brings it to the loudness of the others.
    package let gain: Gain
}
