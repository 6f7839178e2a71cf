/// How a part of a script is spoken, on top of what holds for all of it.
package struct ScriptStyle: Hashable, Sendable {
    /// nil = the voice that speaks the script.
    package var voice: ScriptVoice?
    /// BCP-47, as written; nil = that of the voice.
    package var language: String?
    /// Factors of what holds for the whole script: above 0, at least 0.1, at most 10.
    package var rate = 1.0
    package var pitch = 1.0
    /// A factor of the amplitude, from 0 to 100.
    package var volume = 1.0

    package init(
        voice: ScriptVoice? = nil, language: String? = nil, rate: Double = 1, pitch: Double = 1, volume: Double = 1
    ) {
        self.voice = voice
        self.language = language
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
    }
}
