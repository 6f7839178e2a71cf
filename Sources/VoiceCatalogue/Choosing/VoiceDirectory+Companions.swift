extension VoiceDirectory {
    /// The voice for a part of a text that is in a language, or of a gender, that the voice around it is not: of the same
    /// engine if it has one, else of the first engine, else of any that is no example. The voice that the user chose for an
    /// engine comes before its others.
    ///
    /// - Parameters:
    ///   - language: BCP-47.
    ///   - gender: nil = any; a voice of no known gender is taken before none.
    ///   - engine: the id of the engine that speaks around it.
    ///   - remembered: the chosen voice of each engine.
    package func companion(
        language: String, gender: Gender?, beside engine: String, remembered: [String: String] = [:]
    ) -> Voice? {
        let speaking = engines.filter { !$0.isExample || $0.id == engine }
        let order =
            speaking.filter { $0.id == engine } + speaking.filter { $0.id != engine && $0.isFirst }
            + speaking.filter { $0.id != engine && !$0.isFirst }
        let usable = voices.filter { $0.unsupported == nil && !hidden.contains($0) }
        for gender in gender.map({ [$0, nil] }) ?? [nil] {
            for engine in order {
                let fitting = usable.filter { $0.engine == engine.id && (gender == nil || $0.gender == gender) }
                let chosen = remembered[engine.id].flatMap { try? Self.find($0, among: fitting) }
                if let chosen, RelatedLanguages.areSame(chosen.language, language) { return chosen }
                if let voice = VoiceMatch.best(forLanguage: language, among: fitting) { return voice }
            }
        }
        return nil
    }
}
