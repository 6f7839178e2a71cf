package import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import SynthScript
package import SynthSpeech

extension Inventory {
    /// The voice that is meant. It may have to be downloaded first; its engine is here.
    package func choose(_ query: VoiceQuery) throws(SpeechError) -> VoiceChoice {
        let choice = try find(query)
        for voice in choice.shares.map(\.voice) {
            if let why = voice.unsupported {
                throw SpeechError(VoiceError.unsupportedVoice(title: voice.title, why: why))
            }
        }
        return choice
    }

    /// The voice that is meant, which may have to be downloaded, or, if it cannot speak and `fallsBack`, who speaks for it.
    package func speaker(
        meantBy query: VoiceQuery, fallsBack: Bool
    ) throws(SpeechError) -> (choice: VoiceChoice, replacement: VoiceReplacement?) {
        let choice: VoiceChoice
        do {
            choice = try choose(query)
        } catch {
            guard fallsBack, let replacement = standIn(for: query, after: error) else { throw error }
            return (replacement.other.choice, replacement)
        }
        if fallsBack, let failure = damage(of: choice), let replacement = standIn(for: voice(choice), after: failure) {
            return (replacement.other.choice, replacement)
        }
        return (choice, nil)
    }

    /// The shortest text that means this voice now: a shorter name that it has beside its name, else its name, else its
    /// title, else its id. The voices that are here are meant before others, so one of the user's own may have the name of
    /// one that could be downloaded.
    ///
    /// - Parameter all: the voices that are known.
    package func word(for voice: Voice, among all: VoiceDirectory) -> String {
        let ready = ready
        func means(_ name: String) -> VoiceChoice? {
            let query = VoiceQuery(name: name, preferredEngine: host.presets.engine)
            do {
                return try ready.choose(query)
            } catch {
                return error.mayBeInRegistry || error.mayNameVoice(in: query) ? try? all.choose(query) : nil
            }
        }
        let short = voice.aliases.filter { $0.count < voice.name.count }
        let words = (short + [voice.name, voice.title]).filter { name in
            guard let choice = means(name), choice.speaker == nil, !choice.isBlend else { return false }
            return choice.voice.folder == voice.folder
        }
        return words.first ?? voice.id
    }

    /// What is wrong with the engine that is meant: the one that was asked for or is configured, else the first one.
    /// No other may take its place unasked.
    package func failure(ofEngineMeantBy query: VoiceQuery) -> EngineFailure? {
        if let id = query.engine ?? query.preferredEngine ?? firstEngine { return plugins.failure(of: id) }
        // No registry says which is the first; if none can speak, it is one that cannot be used.
        let canSpeak = plugins.contains { $0.engine?.capabilities.contains(.isExample) == false }
        return canSpeak ? nil : plugins.lazy.compactMap(\.failure).first
    }

    /// The engine that is meant if no voice is named; nil if there is none.
    package func engine(meantBy query: VoiceQuery) -> String? {
        try? VoiceDirectory(engines: engines, voices: []).engine(query).id
    }

    private func find(_ query: VoiceQuery) throws(SpeechError) -> VoiceChoice {
        guard let failure = failure(ofEngineMeantBy: query) else { return try findInUsableEngines(query) }
        // A voice that was named may be another engine's.
        guard query.name != nil, query.engine == nil else { throw SpeechError(failure) }
        let choice: VoiceChoice
        do {
            choice = try findInUsableEngines(query)
        } catch {
            if let error = error.cause as? VoiceError, !error.isMistyped { throw SpeechError(failure) }
            throw error
        }
        // Nothing is downloaded for a name that the configured engine may well know.
        if query.preferredEngine != nil {
            guard missing(of: choice).isEmpty else { throw SpeechError(failure) }
        }
        return choice
    }

    private func findInUsableEngines(_ query: VoiceQuery) throws(SpeechError) -> VoiceChoice {
        do {
            return try ready.choose(query)
        } catch {
            guard error.mayBeInRegistry || error.mayNameVoice(in: query) else { throw SpeechError(error) }
        }
        let known: VoiceDirectory
        do {
            known = try all()
        } catch {
            throw SpeechError(error)
        }
        do {
            return try known.choose(query)
        } catch {
            throw withoutEngine(query) ?? SpeechError(error)
        }
    }

    /// What is wrong with the engine of the voice that is meant, if that engine is not here or cannot be used.
    private func withoutEngine(_ query: VoiceQuery) -> SpeechError? {
        guard let name = query.name, query.engine == nil, let registry = try? registry() else { return nil }
        let strangers = (registry.voices + host.store.installedVoices().map(\.voice)).filter { voice in
            plugins.allSatisfy { $0.engine?.id != voice.engine }
        }
        return (try? VoiceDirectory.find(name, among: strangers)).map { voice in
            plugins.failure(of: voice.engine).map { SpeechError($0) }
                ?? SpeechError(VoiceError.missingEngine(title: voice.title, engine: voice.engine))
        }
    }
}

extension VoiceError {
    /// It was not found among the voices that are here, so it may be one that can be downloaded.
    fileprivate var mayBeInRegistry: Bool {
        switch self {
        case .unknownVoice, .unknownLanguage, .forgottenVoice, .noVoices: true
        // In a blend; with the voices that can be downloaded it may have been meant otherwise.
        case .blendOfEngines, .blendOfModels: true
        default: false
        }
    }
}

extension VoiceError {
    /// "Heart+Bella": what was read as a speaker may be a voice.
    fileprivate func mayNameVoice(in query: VoiceQuery) -> Bool {
        if case .unknownSpeaker = self { query.speaker == nil } else { false }
    }
}

extension Inventory {
    /// The voice that a part of a script asks for, as the user would type it; nil if the one that speaks around it is as
    /// good.
    ///
    /// - Throws: a `VoiceError` for a name that means no voice, or more than one. A language or a gender that no voice here has
    ///   is no error.
    func companion(for voice: ScriptVoice, beside main: SpeechVoice) throws(SpeechError) -> VoiceChoice? {
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

/// Who reads texts in a language.
package enum NarratorChoice {
    /// The voice that reads the rest, which has the language.
    case same
    case other(VoiceChoice)
    /// No voice that is here has it.
    case none
}

extension Inventory {
    /// Who reads a text in a language beside a voice.
    ///
    /// - Parameter language: BCP-47.
    package func reader(of language: String, beside main: SpeechVoice) throws(SpeechError) -> NarratorChoice {
        if RelatedLanguages.areSame(language, main.language) { return .same }
        return try companion(for: ScriptVoice(language: language), beside: main).map { .other($0) } ?? .none
    }
}
