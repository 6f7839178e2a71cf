package import SynthCatalogue
import SynthModelStore
import SynthScript
package import SynthSpeech

extension HostSnapshot {
    /// The fallback voices for a language, best first: the configured voices, then one voice of each engine in the
    /// registry's fallback order. All of them support the language. Empty if the configuration disables fallbacks.
    ///
    /// - Parameter failed: the IDs of the engines that failed.
    func fallbacks(for language: String, without failed: Set<String>) -> [VoiceChoice] {
        let presets = host.presets
        if presets.fallback == [] { return [] }
        let directory = ready
        let named = (presets.fallback ?? []).compactMap { name in
            try? directory.choose(VoiceQuery(name: name, remembered: presets.voices))
        }.filter { RelatedLanguages.areSame($0.voice.language, language) }
        let chosen = directory.engines.filter { !$0.isExample }.enumerated().sorted {
            (fallbackRank(of: $0.element), $0.offset) < (fallbackRank(of: $1.element), $1.offset)
        }.compactMap { _, engine in
            VoiceDirectory(engines: [engine], voices: directory.voices, hidden: directory.hidden)
                .companion(language: language, gender: nil, beside: engine.id, remembered: presets.voices)
        }
        return (named + chosen.map { VoiceChoice(voice: $0) }).filter { !failed.contains($0.voice.engine) }
    }

    /// Returns the installed voices that could replace a voice if its engine failed, best first.
    package func fallbacks(for voice: SpeechVoice) -> [SpeechVoice] {
        fallbacks(for: voice.language, without: [voice.engine]).map { self.voice($0) }
    }

    /// Finds a fallback for a voice whose engine or files are faulty. Returns nil if none is available.
    package func fallback(for voice: SpeechVoice, after failure: SpeechError) -> VoiceReplacement? {
        guard failure.isOfEngine else { return nil }
        // A faulty voice does not affect other voices of its engine.
        let failed: Set<String> = failure.cause is VoiceError ? [] : [voice.engine]
        return fallback(voice, speaking: voice.language, without: failed, after: failure)
    }

    /// Finds a fallback for a voice that was not found because its engine is unusable. Returns nil if none is
    /// available.
    package func fallback(for query: VoiceQuery, after failure: SpeechError) -> VoiceReplacement? {
        guard failure.isOfEngine, let language = language(selectedBy: query) else { return nil }
        return fallback(nil, speaking: language, without: [], after: failure)
    }

    /// The error for the damaged files of a voice or a blend, or nil if no file is damaged. Missing files are ignored.
    func damage(of choice: VoiceChoice) -> SpeechError? {
        for voice in missing(of: choice) {
            if case .unusable(let error) = state(of: voice), error.code == .voiceDamaged { return error }
        }
        return nil
    }

    private func fallback(
        _ voice: SpeechVoice?, speaking language: String, without failed: Set<String>, after failure: SpeechError
    ) -> VoiceReplacement? {
        for choice in fallbacks(for: language, without: failed) {
            // Skip fallbacks that are unusable themselves.
            guard let session = try? session(choice) else { continue }
            return VoiceReplacement(voice, by: session.voice, because: failure)
        }
        return nil
    }

    /// Returns nil if the query contains an unknown voice name.
    private func language(selectedBy query: VoiceQuery) -> String? {
        if let language = query.language { return language }
        let engine = query.engine ?? query.preferredEngine ?? firstEngine
        if let name = query.name ?? engine.flatMap({ query.remembered[$0] }) {
            let stored = host.store.installedVoices().map(\.voice) + host.store.damagedVoices().map(\.voice)
            let known = ((try? registry())?.voices ?? []) + stored
            if let voice = try? VoiceDirectory.find(name, among: known) { return voice.language }
            if query.name != nil { return nil }
        }
        return query.localeLanguage ?? "en"
    }

    /// The position of an engine in the fallback order. Engines without a position in the registry come last, starting
    /// with the default engine.
    private func fallbackRank(of engine: VoiceEngine) -> Int {
        facts.found.fallbacks.firstIndex(of: engine.id) ?? (engine.isFirst ? .max - 1 : .max)
    }
}
