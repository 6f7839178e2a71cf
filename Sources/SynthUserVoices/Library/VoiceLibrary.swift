package import SynthCatalogue
import SynthModelStore
package import SynthSpeech
package import SynthSystem

/// Finds the user's voices, reports their states and looks up voices by name.
package struct VoiceLibrary: Sendable {
    package let inventory: HostSnapshot
    package let registry: Registry
    /// The voices of the installed engines.
    package let directory: VoiceDirectory
    /// The user's voice profiles, favorites and hidden voices.
    package let marks: VoiceMarks

    /// Reads the registries unless the inventory has already done so.
    package init(_ inventory: HostSnapshot) throws(SpeechError) {
        self.inventory = inventory
        marks = VoiceMarks(inventory.host.presets)
        registry = try rethrowing(inventory.registry(), as: RegistryError.asSpeechError)
        directory = inventory.all(in: registry)
    }

    package var host: LocalHost { inventory.host }

    package var configuration: Configuration { host.presets }

    var store: ModelStore { host.store }

    /// The default voice.
    package var chosen: Voice? { inventory.chosen }

    package func state(of voice: Voice) -> SpeechVoice.State { inventory.state(of: voice) }

    package func isBuiltIn(_ voice: Voice) -> Bool { inventory.isBuiltIn(voice) }

    /// Returns a description of a voice's state, such as "ready" or "not downloaded: a file is damaged".
    package func stateWords(of voice: Voice) -> String {
        switch state(of: voice) {
        case .ready: return isBuiltIn(voice) ? "built in" : "ready"
        case .notDownloaded: return missingReason(of: voice).map { "not downloaded: \($0)" } ?? "not downloaded"
        case .unusable(let error):
            if let reason = error.facts.reason, error.code == .voiceDamaged { return "damaged: \(reason)" }
            return error.code == .voiceUnsupported ? "not supported" : "needs the engine \(voice.engine)"
        }
    }

    /// Returns further information about why a voice is not downloaded, for example that files are damaged, or nil if
    /// there is none.
    package func missingReason(of voice: Voice) -> String? {
        // If only the shared model is present, the voice itself is not considered partly downloaded.
        store.holds(voice) ? store.missingReason(of: voice) : nil
    }

    /// Whether the voice is completely installed with exactly the model that it specifies.
    package func isInstalled(_ voice: Voice) -> Bool { store.isInstalled(voice) }

    /// Whether the voice is ready to speak with exactly the model that it specifies.
    package func isComplete(_ voice: Voice) -> Bool {
        state(of: voice) == .ready && (isBuiltIn(voice) || isInstalled(voice))
    }

    // MARK: - Names

    /// Returns the name with which users can currently select a voice. All hints show this name.
    package func word(for voice: Voice) -> String { inventory.word(for: voice, among: directory) }

    /// Returns the name to store in the configuration for a voice. It remains unambiguous if other voices are
    /// downloaded later.
    package func stableName(for voice: Voice) -> String { directory.word(for: voice) }

    /// Finds the voice with this name among the voices of the installed engines. The voice itself need not be
    /// installed.
    package func voice(_ name: String, engine: String? = nil) throws(SpeechError) -> Voice {
        try choice(name, engine: engine).voice
    }

    /// Finds the voice and speaker, or the blend, with this name.
    package func choice(_ name: String, engine: String? = nil) throws(SpeechError) -> VoiceChoice {
        return try inventory.choose(
            VoiceQuery(name: name, engine: engine, preferredEngine: configuration.engine))
    }

    /// Returns the voice with its model replaced by a model in another precision.
    package func voice(_ voice: Voice, precision: String) throws(SpeechError) -> Voice {
        if let model = registry.model(of: voice, precision: precision) { return voice.using(model) }
        throw .precisionUnknown(
            precision, title: voice.title, known: registry.precisions(of: voice).map { voice.using($0) })
    }

    /// Finds the voice that the name selects for speaking or, failing that, any known voice with this name, even if the
    /// voice or its engine is not installed.
    ///
    /// - Parameter suggestsHidden: whether hidden voices are suggested for an unknown name.
    package func known(_ name: String, suggestsHidden: Bool = false) throws(SpeechError) -> Voice {
        if let choice = try? choice(name) {
            if choice.speaker == nil, !choice.isBlend { return choice.voice }
            throw .voiceNotSingle(
                name, isBlend: choice.isBlend, words: choice.shares.map { word(for: $0.voice) })
        }
        return try rethrowing(
            VoiceDirectory.find(
                name, among: everyVoice, hidden: suggestsHidden ? VoiceNames() : marks.hidden),
            as: VoiceError.asSpeechError)
    }

    /// Finds the voices with these names in the store, without duplicates.
    ///
    /// - Parameter takesBest: whether to choose the best of several voices that differ only in quality.
    /// - Throws: `voiceBuiltIn` or `voiceNotInstalled` for a voice without files; an error such as `voiceUnknown` or
    ///   `voiceAmbiguous` if a name does not match exactly one voice.
    package func stored(_ names: [String], takesBest: Bool = true) throws(SpeechError) -> [Voice] {
        let stored = stored
        var found: [Voice] = []
        for name in names {
            do {
                let voice = try VoiceDirectory.find(name, among: stored, takesBest: takesBest, hidden: marks.hidden)
                if !found.contains(where: { $0.folder == voice.folder }) { found.append(voice) }
            } catch {
                guard case .unknownVoice = error, let known = try? VoiceDirectory.find(name, among: directory.voices)
                else { throw SpeechError(error) }
                throw isBuiltIn(known)
                    ? .voiceBuiltIn(known.title, engine: known.engine)
                    : .voiceNotInstalled(known.title)
            }
        }
        return found
    }

    // MARK: - Lists

    /// All voices with files in the store, whether or not the files are complete and their engines are installed.
    package var stored: [Voice] {
        let installed = store.installedVoices().map(\.voice)
        let times = Dictionary(installed.map { ($0.folder, $0.installed) }) { first, _ in first }
        let known = registry.voices.filter { store.holds($0) }.map { voice in
            var voice = voice
            voice.installed = times[voice.folder] ?? nil
            return voice
        }
        let folders = Set(known.map(\.folder))
        let own = installed + store.damagedVoices().map(\.voice)
        return known + own.filter { !folders.contains($0.folder) }
    }

    /// All known voices without duplicates, whether or not the voices or their engines are installed.
    package var everyVoice: [Voice] {
        var seen: Set<String> = []
        return (directory.voices + stored + registry.voices).filter { seen.insert($0.key).inserted }
    }

    /// Returns the voices that are not hidden.
    package func visible(_ voices: [Voice]) -> [Voice] { voices.filter { !marks.hidden.contains($0) } }

    /// The voices to offer to new users, best first.
    package var offers: [Voice] { directory.offers(for: host.language) }

    /// A few of the voices on offer, each in only one quality.
    package var fewOffers: [Voice] { Self.few(offers) }

    private static func few(_ offers: [Voice]) -> [Voice] {
        var titles: Set<String> = []
        return Array(offers.filter { titles.insert("\($0.engine) \($0.title)").inserted }.prefix(6))
    }

    /// Returns the voices for a short list: the installed voices, and a few additional voices to offer for a language.
    ///
    /// - Parameters:
    ///   - voices: voices from the directory.
    ///   - language: a BCP 47 tag, or nil for the user's language.
    package func shown(of voices: [Voice], for language: String?) -> [Voice] {
        let part = VoiceDirectory(engines: directory.engines, voices: voices, hidden: directory.hidden)
        let here = inventory.shown(of: part).voices
        var seen: Set<String> = []
        return
            (here.filter { state(of: $0) == .ready && !isBuiltIn($0) }
            + Self.few(part.offers(for: language ?? host.language)) + here)
            .filter { seen.insert($0.folder).inserted }
    }

    /// Returns alternatives to a voice: the best other voices on offer, followed by the other voices in the short list.
    package func alternatives(to voice: Voice) -> [Voice] {
        let shown = visible(inventory.shown(of: directory).voices).filter { !isBuiltIn($0) }
        var seen: Set<String> = [voice.folder]
        return (fewOffers + shown).filter { seen.insert($0.folder).inserted }
    }
}
