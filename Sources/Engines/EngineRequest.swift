package import EngineWire

/// One utterance for an engine to speak.
package struct EngineRequest: Equatable, Sendable {
    package var text: SpokenText
    /// BCP-47; nil = the voice's own.
    package var language: String?
    /// One, or several of one model for a blend; the weights sum to 1.
    package var voices: [VoiceUse]
    /// Factors, within what the engine allows.
    package var rate: Float
    package var pitch: Float
    /// How much two readings of a text differ, relative to the voice's own variation: 0 = as much, -1 = not at all, 1 =
    /// twice.
    package var variation: Float
    package var wants: EventKinds

    package init(
        _ text: SpokenText, language: String? = nil, voices: [VoiceUse], rate: Float = 1, pitch: Float = 1,
        variation: Float = 0, wants: EventKinds = []
    ) {
        self.text = text
        self.language = language
        self.voices = voices
        self.rate = rate
        self.pitch = pitch
        self.variation = variation
        self.wants = wants
    }

    func frame(serial: UInt64) -> LaneRequest {
        LaneRequest(
            serial: serial, text: text, language: language, voices: voices, rate: rate, pitch: pitch,
            variation: variation, wants: wants)
    }
}
