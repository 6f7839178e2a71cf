package import ModelStore

/// A voice, and which of its speakers.
package struct VoiceChoice: Hashable, Sendable {
    package var voice: Voice
    /// nil = the voice's first.
    package var speaker: String?

    package init(voice: Voice, speaker: String? = nil) {
        self.voice = voice
        self.speaker = speaker
    }

    /// What people call it: "English (America), f3".
    package var title: String { speaker.map { "\(voice.title), \($0)" } ?? voice.title }
}
