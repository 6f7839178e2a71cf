/// The voices of all usable engines, and the choice among them.
package struct VoiceDirectory: Sendable {
    /// In the order of the plugins folders.
    package let engines: [VoiceEngine]
    /// The voices of these engines. Without a name, the first suitable voice is taken.
    package let voices: [Voice]
    /// Voices that nobody wants to see. They are found by name, and neither offered nor suggested.
    package let hidden: VoiceNames

    /// - Parameter voices: voices of other engines are left out.
    package init(engines: [VoiceEngine], voices: [Voice], hidden: VoiceNames = VoiceNames()) {
        self.engines = engines
        self.hidden = hidden
        let known = Set(engines.map(\.id))
        self.voices = voices.filter { known.contains($0.engine) }
    }

    /// The voice that the query means. A name that does not exist is an error, never replaced by a default.
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

    /// The engine to use if no voice is named. An example engine is never used without being named.
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
        // The configured engine has precedence if it has such a voice.
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
