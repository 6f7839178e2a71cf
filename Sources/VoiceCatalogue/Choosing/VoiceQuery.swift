/// What is known of the voice that is wanted.
package struct VoiceQuery: Hashable, Sendable {
    /// As somebody typed it: a name, a name with its accent, an id, a language; with `+speaker` where it has several; or
    /// several voices of one model, as in "Heart+Bella" and "Heart*0.7+Emma*0.3".
    package var name: String?
    package var speaker: String?
    /// BCP-47.
    package var language: String?
    /// An engine that was asked for by its id: only its voices count.
    package var engine: String?
    /// The engine of the configuration, which wins where a name fits several.
    package var preferredEngine: String?
    /// The voice of the configuration for each engine, for when no name is given.
    package var remembered: [String: String]
    /// BCP-47; for when nothing else is said.
    package var localeLanguage: String?

    package init(
        name: String? = nil, speaker: String? = nil, language: String? = nil, engine: String? = nil,
        preferredEngine: String? = nil, remembered: [String: String] = [:], localeLanguage: String? = nil
    ) {
        self.name = name
        self.speaker = speaker
        self.language = language
        self.engine = engine
        self.preferredEngine = preferredEngine
        self.remembered = remembered
        self.localeLanguage = localeLanguage
    }
}
