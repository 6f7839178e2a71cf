/// Chooses among the voices of all usable engines.
package struct VoiceDirectory: Sendable {
    /// The engines, in the order of the plugin folders.
    package let engines: [VoiceEngine]
    /// The voices of these engines. If no name is given, the first suitable voice is chosen.
    package let voices: [Voice]
    /// Voices that the user has hidden. They can be used by name, but are neither offered nor suggested.
    package let hidden: VoiceNames

    /// - Parameter voices: voices of other engines are ignored.
    package init(engines: [VoiceEngine], voices: [Voice], hidden: VoiceNames = VoiceNames()) {
        self.engines = engines
        self.hidden = hidden
        let known = Set(engines.map(\.id))
        self.voices = voices.filter { known.contains($0.engine) }
    }

    /// The voice that matches the query. An unknown name is an error; it is never replaced with a default.
    package func choose(_ query: VoiceQuery) throws(VoiceError) -> VoiceChoice {
        let choice: VoiceChoice
        if let name = query.name {
            choice = try named(name, query)
        } else {
            choice = try unnamed(query)
        }
        guard let speaker = query.speaker else { return choice }
        guard !choice.isBlend else { throw .speakerOfBlend(speaker) }
        return VoiceChoice(voice: choice.voice, speaker: try self.speaker(speaker, of: choice.voice))
    }

    /// The engine to use if no voice is specified. An example engine must be specified by name.
    package func engine(_ query: VoiceQuery) throws(VoiceError) -> VoiceEngine {
        if let id = query.engine ?? query.preferredEngine {
            if let engine = engines.first(where: { $0.id == id }) { return engine }
            throw .unknownEngine(id, near: Suggestions.nearest(to: id, among: engines.map(\.id)))
        }
        let speaking = engines.filter { !$0.isExample }
        if let engine = speaking.first(where: \.isFirst) ?? speaking.first { return engine }
        throw engines.isEmpty ? .noEngine : .onlyExamples(engines.map(\.id))
    }

    // MARK: - By name

    private func named(_ name: String, _ query: VoiceQuery) throws(VoiceError) -> VoiceChoice {
        if query.engine != nil { return try named(name, among: voices(of: try engine(query)), query) }
        // The configured engine takes precedence if it has such a voice.
        if let preferred = engines.first(where: { $0.id == query.preferredEngine }),
            let choice = try? named(name, among: voices(of: preferred), query)
        {
            return choice
        }
        return try named(name, among: voices, query)
    }

    private func named(_ name: String, among voices: [Voice], _ query: VoiceQuery) throws(VoiceError) -> VoiceChoice {
        if let voice = try VoiceMatch.only(name, among: voices, language: query.language) {
            return VoiceChoice(voice: voice)
        }
        // "English+f3" is a voice and its speaker.
        if let plus = name.lastIndex(of: "+"),
            let voice = try? VoiceMatch.only(String(name[..<plus]), among: voices, language: query.language),
            let speaker = voice.speaker(called: String(name[name.index(after: plus)...]))
        {
            return VoiceChoice(voice: voice, speaker: speaker)
        }
        guard let terms = try BlendTerm.terms(of: name) else {
            throw .unknownVoice(name, near: VoiceMatch.nearest(to: name, among: voices, without: hidden))
        }
        return try VoiceBlend.choice(terms, among: voices, of: engines, language: query.language, without: hidden)
    }

    private func speaker(_ name: String, of voice: Voice) throws(VoiceError) -> String {
        if let speaker = voice.speaker(called: name) { return speaker }
        throw .unknownSpeaker(name, voice: voice.title, speakers: voice.speakers)
    }

    // MARK: - Without a name

    private func unnamed(_ query: VoiceQuery) throws(VoiceError) -> VoiceChoice {
        let engine = try engine(query)
        let voices = voices(of: engine)
        guard let first = voices.first else { throw .noVoices(engine: engine.id) }
        if let language = query.language {
            if let voice = VoiceMatch.best(forLanguage: language, among: voices) { return VoiceChoice(voice: voice) }
            let known = Array(Set(voices.map(\.language))).sorted()
            throw .unknownLanguage(
                language, engine: engine.id, near: Suggestions.nearest(to: language, among: known))
        }
        if let remembered = query.remembered[engine.id] {
            do {
                return try named(remembered, among: voices, query)
            } catch {
                guard case .unknownVoice(_, let near) = error else { throw error }
                throw .forgottenVoice(remembered, engine: engine.id, near: near)
            }
        }
        let local = query.localeLanguage.flatMap { VoiceMatch.best(forLanguage: $0, among: voices) }
        return VoiceChoice(voice: local ?? VoiceMatch.best(forLanguage: "en", among: voices) ?? first)
    }

    private func voices(of engine: VoiceEngine) -> [Voice] {
        voices.filter { $0.engine == engine.id }
    }
}

extension VoiceDirectory {
    /// The voice for text whose language or gender differs from that of the surrounding voice. Voices of the same engine are preferred,
    /// then voices of the first engine, then voices of any engine that is not an example. Within an engine, the user's configured voice
    /// takes precedence.
    ///
    /// - Parameters:
    ///   - language: a BCP 47 tag.
    ///   - gender: nil for any gender. If no voice has this gender, a voice of unknown gender is used.
    ///   - engine: the ID of the surrounding voice's engine.
    ///   - remembered: the configured voices, keyed by engine.
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

extension VoiceDirectory {
    /// The name to type for this voice: its name if that is unambiguous, otherwise its title, otherwise its ID.
    package func word(for voice: Voice) -> String {
        let words = [voice.name, voice.title]
        return words.first { (try? VoiceMatch.only($0, among: voices, language: nil))?.folder == voice.folder }
            ?? voice.id
    }

    /// The voices to offer to a new user, best first: voices for the language, then English voices, then the starter voices.
    ///
    /// - Parameter language: a BCP 47 tag; nil if unknown.
    package func offers(for language: String?) -> [Voice] {
        let known = voices.filter { MatchRank.isOffered($0) && !hidden.contains($0) }
        var seen: Set<String> = []
        return [
            language.map { VoiceMatch.offered(forLanguage: $0, among: known) } ?? [],
            VoiceMatch.offered(forLanguage: "en", among: known), known.filter(\.isRecommended), starters,
        ].joined().filter { seen.insert($0.folder).inserted }
    }

    /// The recommended voices for all languages: the starter voices, then the first offered voice for each language and engine.
    /// Hidden voices are excluded.
    package var recommended: [Voice] {
        let known = voices.filter { MatchRank.isOffered($0) && !hidden.contains($0) }
        let firsts = Dictionary(grouping: known) { "\($0.engine)/\($0.language)" }.sorted { $0.key < $1.key }
            .compactMap { $0.value.min { MatchRank($0, .offered) < MatchRank($1, .offered) } }
        var seen: Set<String> = []
        return (starters + firsts).filter { seen.insert($0.folder).inserted }
    }

    /// The starter voices that are not hidden, with the recommended voice first.
    package var starters: [Voice] { voices.starters.filter { !hidden.contains($0) } }

    /// Whether there is a voice for a BCP 47 tag, or for a more general tag.
    package func speaks(_ language: String) -> Bool { VoiceMatch.best(forLanguage: language, among: voices) != nil }

    /// Suggested tags for an unknown tag, or for the name of a language.
    package func languages(near text: String) -> [String] {
        let named = voices.filter { $0.name.lowercased() == text.lowercased() }.map(\.language)
        var seen: Set<String> = []
        let tags = named + Suggestions.nearest(to: text, among: Set(voices.map(\.language)).sorted())
        return Array(tags.filter { seen.insert($0).inserted }.prefix(3))
    }

    /// The voice that a name refers to, among voices of any engine, installed or not.
    ///
    /// - Parameters:
    ///   - takesBest: whether to choose the best of several voices that differ only in quality.
    ///   - hidden: voices that are found but not suggested.
    package static func find(
        _ name: String, among voices: [Voice], takesBest: Bool = true, hidden: VoiceNames = VoiceNames()
    ) throws(VoiceError) -> Voice {
        if let voice = try VoiceMatch.only(name, among: voices, language: nil, takesBest: takesBest) { return voice }
        throw .unknownVoice(name, near: VoiceMatch.nearest(to: name, among: voices, without: hidden))
    }
}
