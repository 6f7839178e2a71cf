package import EngineWire
package import ModelStore

/// The voices of all usable engines, and which one is meant.
package struct VoiceDirectory: Sendable {
    /// In the order of the plugins folders.
    package let engines: [EngineDescription]
    /// Of these engines. Where several would do for an engine whose voice nobody named, an earlier one is taken.
    package let voices: [Voice]

    /// The engine that speaks as long as nobody chose another: it needs no download.
    package static let firstEngine = "espeak-ng"

    /// - Parameter voices: those of other engines are left out.
    package init(engines: [EngineDescription], voices: [Voice]) {
        self.engines = engines
        let known = Set(engines.map(\.id))
        self.voices = voices.filter { known.contains($0.engine) }
    }

    /// Only what needs no file.
    package init(engines: [EngineDescription]) {
        self.init(engines: engines, voices: engines.flatMap(\.builtInVoices))
    }

    /// The one voice that is meant. Never a silent default where something was asked for.
    package func choose(_ wish: VoiceWish) throws(VoiceError) -> VoiceChoice {
        let choice: VoiceChoice
        if let name = wish.name {
            choice = try named(name, wish)
        } else {
            choice = try unnamed(wish)
        }
        guard let speaker = wish.speaker else { return choice }
        return VoiceChoice(voice: choice.voice, speaker: try self.speaker(speaker, of: choice.voice))
    }

    /// The engine that is meant where no voice is named.
    package func engine(_ wish: VoiceWish) throws(VoiceError) -> EngineDescription {
        if let id = wish.engine ?? wish.preferredEngine {
            if let engine = engines.first(where: { $0.id == id }) { return engine }
            throw .unknownEngine(id, near: NearMiss.nearest(to: id, among: engines.map(\.id)))
        }
        guard let engine = engines.first(where: { $0.id == Self.firstEngine }) ?? engines.first else { throw .noEngine }
        return engine
    }

    // MARK: - By name

    private func named(_ name: String, _ wish: VoiceWish) throws(VoiceError) -> VoiceChoice {
        if wish.engine != nil { return try named(name, among: voices(of: try engine(wish)), wish) }
        // The configured engine decides where it has such a voice.
        if let preferred = engines.first(where: { $0.id == wish.preferredEngine }),
            let choice = try? named(name, among: voices(of: preferred), wish)
        {
            return choice
        }
        return try named(name, among: voices, wish)
    }

    private func named(_ name: String, among voices: [Voice], _ wish: VoiceWish) throws(VoiceError) -> VoiceChoice {
        if let voice = try VoiceMatch.only(name, among: voices, language: wish.language) {
            return VoiceChoice(voice: voice)
        }
        // "English+f3" is a voice and its speaker.
        if let plus = name.lastIndex(of: "+"),
            let voice = try VoiceMatch.only(String(name[..<plus]), among: voices, language: wish.language)
        {
            return VoiceChoice(voice: voice, speaker: try speaker(String(name[name.index(after: plus)...]), of: voice))
        }
        let known = Array(Set(voices.flatMap { [$0.name, $0.title, $0.id] }))
        throw .unknownVoice(name, near: NearMiss.nearest(to: name, among: known.sorted()))
    }

    private func speaker(_ name: String, of voice: Voice) throws(VoiceError) -> String {
        let speakers = voice.speakers
        if let speaker = speakers.first(where: { $0 == name }) { return speaker }
        if let speaker = speakers.first(where: { $0.lowercased() == name.lowercased() }) { return speaker }
        throw .unknownSpeaker(name, voice: voice.title, speakers: speakers)
    }

    // MARK: - Without a name

    private func unnamed(_ wish: VoiceWish) throws(VoiceError) -> VoiceChoice {
        let engine = try engine(wish)
        let voices = voices(of: engine)
        guard let first = voices.first else { throw .noVoices(engine: engine.id) }
        if let language = wish.language {
            if let voice = VoiceMatch.best(forLanguage: language, among: voices) { return VoiceChoice(voice: voice) }
            let known = Array(Set(voices.map(\.language))).sorted()
            throw .unknownLanguage(
                language, engine: engine.id, near: NearMiss.nearest(to: language, among: known))
        }
        if let remembered = wish.remembered[engine.id] {
            do {
                return try named(remembered, among: voices, wish)
            } catch {
                guard case .unknownVoice(_, let near) = error else { throw error }
                throw .forgottenVoice(remembered, engine: engine.id, near: near)
            }
        }
        let local = wish.localeLanguage.flatMap { VoiceMatch.best(forLanguage: $0, among: voices) }
        return VoiceChoice(voice: local ?? VoiceMatch.best(forLanguage: "en", among: voices) ?? first)
    }

    private func voices(of engine: EngineDescription) -> [Voice] {
        voices.filter { $0.engine == engine.id }
    }
}
