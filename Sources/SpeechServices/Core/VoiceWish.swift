/// The voice that a client asks for. Nothing set = the one that the user chose.
package struct VoiceWish: Hashable, Sendable {
    /// As people call it, or its id.
    package var name: String?
    /// BCP-47.
    package var language: String?
    package var speaker: String?
    /// The id of an engine: only its voices count.
    package var engine: String?

    package init(
        name: String? = nil, language: String? = nil, speaker: String? = nil, engine: String? = nil
    ) {
        self.name = name
        self.language = language
        self.speaker = speaker
        self.engine = engine
    }
}
