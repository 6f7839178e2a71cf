/// One voice of a blend, with its weight.
package struct VoiceShare: Hashable, Sendable {
    package var voice: Voice
    /// nil = the voice's first.
    package var speaker: String?
    /// Above 0; the weights of a choice sum to 1.
    package var weight: Double

    package init(voice: Voice, speaker: String? = nil, weight: Double = 1) {
        self.voice = voice
        self.speaker = speaker
        self.weight = weight
    }

    /// The name shown to people: "English (America), f3".
    package var title: String { speaker.map { "\(voice.title), \($0)" } ?? voice.title }
}
