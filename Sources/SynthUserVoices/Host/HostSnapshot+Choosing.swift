package import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import SynthScript
package import SynthSpeech
import SynthSystem

extension HostSnapshot {
    /// Chooses the voice for a query. The voice's engine is installed, but its files may have to be downloaded.
    package func choose(_ query: VoiceQuery) throws(SpeechError) -> VoiceChoice {
        let choice = try find(query)
        for voice in choice.shares.map(\.voice) {
            if let why = voice.unsupported {
                throw SpeechError(VoiceError.unsupportedVoice(title: voice.title, why: why))
            }
        }
        return choice
    }

    /// Chooses the voice for a query; its files may have to be downloaded. If the voice is unusable and `fallsBack` is
    /// true, chooses a fallback voice.
    package func speaker(
        selectedBy query: VoiceQuery, fallsBack: Bool
    ) throws(SpeechError) -> (choice: VoiceChoice, replacement: VoiceReplacement?) {
        let choice: VoiceChoice
        do {
            choice = try choose(query)
        } catch {
            guard fallsBack, let replacement = fallback(for: query, after: error) else { throw error }
            return (replacement.other.choice, replacement)
        }
        if fallsBack, let failure = damage(of: choice), let replacement = fallback(for: voice(choice), after: failure) {
            return (replacement.other.choice, replacement)
        }
        return (choice, nil)
    }

    /// The shortest text that refers unambiguously to a voice: a short name, its name, its title or its ID. Installed
    /// voices take precedence over other voices, so a user's own voice may share its name with a downloadable voice.
    ///
    /// - Parameter all: all known voices.
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

    /// The failure of the engine that the query selects: the requested engine, the configured engine or, failing both,
    /// the first engine. No other engine may silently replace it.
    package func failure(ofEngineSelectedBy query: VoiceQuery) -> EngineFailure? {
        if let id = query.engine ?? query.preferredEngine ?? firstEngine { return plugins.failure(of: id) }
        // No registry names a default engine, so report the first unusable engine if no engine can speak.
        let canSpeak = plugins.contains { $0.engine?.capabilities.contains(.isExample) == false }
        return canSpeak ? nil : plugins.lazy.compactMap(\.failure).first
    }

    /// The ID of the engine that a query selects if its voice name is ignored, or nil if there is none.
    package func engine(selectedBy query: VoiceQuery) -> String? {
        try? VoiceDirectory(engines: engines, voices: []).engine(query).id
    }

    private func find(_ query: VoiceQuery) throws(SpeechError) -> VoiceChoice {
        guard let failure = failure(ofEngineSelectedBy: query) else { return try findInUsableEngines(query) }
        // The voice name may belong to a different engine, so search the usable engines before reporting the failure.
        guard query.name != nil, query.engine == nil else { throw SpeechError(failure) }
        let choice: VoiceChoice
        do {
            choice = try findInUsableEngines(query)
        } catch {
            if let error = error.cause as? VoiceError, !error.isMistyped { throw SpeechError(failure) }
            throw error
        }
        // Do not download anything for a name that may belong to the configured engine.
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
        let known = try rethrowing(all(), as: RegistryError.asSpeechError)
        do {
            return try known.choose(query)
        } catch {
            throw withoutEngine(query) ?? SpeechError(error)
        }
    }

    /// The error for a voice whose engine is missing or unusable.
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
    /// Whether the requested voice may be available for download.
    fileprivate var mayBeInRegistry: Bool {
        switch self {
        case .unknownVoice, .unknownLanguage, .forgottenVoice, .noVoices: true
        // The names in the blend may refer to different voices once downloadable voices are included.
        case .blendOfEngines, .blendOfModels: true
        default: false
        }
    }
}

extension VoiceError {
    /// Whether the text after "+", as in "Heart+Bella", may be a voice's name even though it was parsed as a speaker.
    fileprivate func mayNameVoice(in query: VoiceQuery) -> Bool {
        if case .unknownSpeaker = self { query.speaker == nil } else { false }
    }
}

extension HostSnapshot {
    /// Finds the voice requested by a segment of a script. Returns nil if the voice of the surrounding text is equally
    /// suitable.
    ///
    /// - Throws: the errors of `choose`, such as `voiceUnknown`, if the request includes a name. A request without a
    ///   name never throws, even if no installed voice has the requested language or gender.
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
        // A voice for the same language without the requested gender is not an improvement over the current voice.
        if speaksLanguage, found?.gender != gender { return nil }
        return found.map { VoiceChoice(voice: $0) }
    }

    /// The configured voice for words in a language, or nil if none is configured or it is not installed.
    private func configuredVoice(for language: String) -> VoiceChoice? {
        let languages = host.presets.languages
        let tag = languages.keys.sorted().first { RelatedLanguages.areSame($0, language) }
        guard let name = languages[language] ?? tag.flatMap({ languages[$0] }) else { return nil }
        return try? ready.choose(VoiceQuery(name: name, remembered: host.presets.voices))
    }
}

/// The voice for text in a language.
package enum NarratorChoice {
    /// The main voice, which supports the language.
    case same
    case other(VoiceChoice)
    case none
}

extension HostSnapshot {
    /// Chooses the voice for text in a language, given the main voice.
    ///
    /// - Parameter language: a BCP 47 tag.
    package func reader(of language: String, beside main: SpeechVoice) throws(SpeechError) -> NarratorChoice {
        if RelatedLanguages.areSame(language, main.language) { return .same }
        return try companion(for: ScriptVoice(language: language), beside: main).map { .other($0) } ?? .none
    }
}
