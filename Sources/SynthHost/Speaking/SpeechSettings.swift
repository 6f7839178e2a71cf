package import EngineWire
package import SynthAudio

/// How a text is spoken.
package struct SpeechSettings: Hashable, Sendable {
    /// Factors of the voice's own speed and fundamental frequency.
    package var rate: Double
    package var pitch: Double
    package var volume: Gain
    /// Factor on how much two readings of a text differ, from 0 to 2.
    package var variation = 1.0
    /// BCP-47; nil = the voice's own.
    package var language: String?
    /// `[[ … ]]` in the text holds IPA. Never for text of unknown origin.
    package var readsTokens = false
    package var pauses: Pauses
    /// Whether numbers, dates and the like are left to the engine.
    package var isVerbatim = false
    /// Whether words of another language stay with the voice, also where it can only spell them.
    package var keepsVoice = false
    /// Words that are said otherwise than they are written; nil = none.
    package var lexicon: SpeechLexicon?
    /// Set for one of many speeches that share a session: others may speak between its utterances, the most urgent first.
    package var priority: SpeechPriority?
    /// Whether another voice of the language speaks the rest if the engine fails. Such a speech has one lane.
    package var fallsBack = false
    /// The ids of engines that another voice of the language speaks for, if there is one. Needs `fallsBack`.
    package var avoids: Set<String> = []
    /// The events that are to come with the sound.
    package var wants: EventKinds = []

    package init(
        rate: Double = 1, pitch: Double = 1, volume: Gain = Gain(factor: 1), language: String? = nil,
        pauses: Pauses = Pauses()
    ) {
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
        self.language = language
        self.pauses = pauses
    }

    /// Silence between what is heard, at least: what the engine leaves itself counts, so that every engine pauses alike.
    package struct Pauses: Hashable, Sendable {
        package var sentence: Duration = .milliseconds(250)
        package var paragraph: Duration = .milliseconds(600)

        package init() {}
    }
}

extension SpeechSettings {
    /// Asks for events beside the sound.
    package mutating func want(_ events: SpeechOptions.Events) {
        wants.formUnion(EventKinds(rawValue: events.rawValue))
    }
}
