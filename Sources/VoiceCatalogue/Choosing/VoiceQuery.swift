/// The criteria for the choice of a voice.
package struct VoiceQuery: Hashable, Sendable {
    /// As the user typed it: a name, a name with its accent, an id, a language; with `+speaker` if it has several; or a
    /// blend, as in "Heart+Bella" and "Heart*0.7+Emma*0.3".
    package var name: String?
    package var speaker: String?
    /// BCP-47.
    package var language: String?
    /// The id of an engine that was asked for: only its voices count.
    package var engine: String?
    /// The configured engine, which has precedence if a name fits several.
    package var preferredEngine: String?
    /// The configured voice for each engine, used if no name is given.
    package var remembered: [String: String]
    /// BCP-47; used if nothing else is given.
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
