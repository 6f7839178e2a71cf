import SpeechScript
import VoiceCatalogue

extension Inventory {
    /// The voice that a part of a script asks for, as the user would type it; nil if the one that speaks around it is as
    /// good.
    ///
    /// - Throws: `voice` for a name that means no voice, or more than one. A language or a gender that no voice here has
    ///   is no error.
    func companion(for voice: ScriptVoice, beside main: SpeechVoice) throws(SpeechFailure) -> VoiceChoice? {
        if let name = voice.name {
            return try choose(
                VoiceQuery(
                    name: name, language: voice.language, preferredEngine: host.presets.engine,
                    remembered: host.presets.voices))
        }
        let gender = voice.gender.flatMap { Gender(rawValue: $0.lowercased()) }
        let language = voice.language ?? main.language
        let speaksLanguage = RelatedLanguages.areSame(language, main.language)
        if speaksLanguage, gender == nil || gender?.rawValue == main.gender { return nil }
        if gender == nil, let choice = configuredVoice(for: language) { return choice }
        let found = ready.companion(
            language: language, gender: gender, beside: main.engine, remembered: host.presets.voices)
        // The same language without the gender is what speaks already.
        if speaksLanguage, found?.gender != gender { return nil }
        return found.map { VoiceChoice(voice: $0) }
    }

    /// What the configuration says of words in a language; nil if it says nothing, or names no voice that is here.
    private func configuredVoice(for language: String) -> VoiceChoice? {
        let languages = host.presets.languages
        let tag = languages.keys.sorted().first { RelatedLanguages.areSame($0, language) }
        guard let name = languages[language] ?? tag.flatMap({ languages[$0] }) else { return nil }
        return try? ready.choose(VoiceQuery(name: name, remembered: host.presets.voices))
    }
}
