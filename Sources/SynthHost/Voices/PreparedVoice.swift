package import EngineWire
package import SynthAudio

/// A voice, or a blend of several, with everything that an engine is handed to speak with it.
package struct PreparedVoice: Sendable {
    package let load: LoadRequest
    /// One, or those of a blend, whose weights sum to 1.
    package let uses: [VoiceUse]
    /// What brings it to the loudness of the others.
    package let gain: Gain
    /// What the user said that a voice of theirs speaks, which its engine cannot know. BCP-47; nil = the engine knows.
    package let language: String?

    package init(load: LoadRequest, uses: [VoiceUse], gain: Gain, language: String? = nil) {
        self.load = load
        self.uses = uses
        self.gain = gain
        self.language = language
    }
}
