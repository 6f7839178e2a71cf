package import SynthHost

/// What a client wants spoken.
package struct SpeechOrder: Sendable {
    package enum Text: Sendable {
        case plain(String)
        case script(String, SpeechForm)
        /// A script that was read.
        case read(SpokenScript)
        /// Text that comes in its own time.
        case live(LiveText)

        var isLive: Bool { if case .live = self { true } else { false } }
    }

    package var text: Text
    package var voice = VoiceWish()
    /// Factors of what the user configured; nil = as it is.
    package var rate: Double?
    package var pitch: Double?
    package var volume: Double?
    /// Whether the voice's profile counts.
    package var usesProfile = true
    /// Whether another voice of the language speaks the rest if the engine fails.
    package var fallsBack = true
    package var priority = SpeechPriority.normal

    package init(_ text: Text) { self.text = text }
}
