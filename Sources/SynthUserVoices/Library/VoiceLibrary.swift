package import SynthCatalogue
import SynthModelStore
import SynthSpeech
package import SynthSystem

/// The voices of this user with all that is known of them: which exist, in which condition, and which one a name means.
package struct VoiceLibrary: Sendable {
    package let inventory: Inventory
    package let registry: Registry
    /// The voices of the installed engines.
    package let directory: VoiceDirectory
    /// What the user says of voices.
    package let marks: VoiceMarks

    /// Reads the registries, if the inventory did not do that before.
    package init(_ inventory: Inventory) throws(SpeechError) {
        self.inventory = inventory
        marks = VoiceMarks(inventory.host.presets)
        do {
            registry = try inventory.registry()
        } catch {
            throw SpeechError(error)
        }
        directory = inventory.all(in: registry)
    }

    package var host: LocalHost { inventory.host }

    package var configuration: Configuration { host.presets }

    var store: ModelStore { host.store }

    /// The voice that speaks if none is named.
    package var chosen: Voice? { inventory.chosen }

    package func condition(of voice: Voice) -> VoiceCondition { inventory.condition(of: voice) }

    /// Whether the voice is complete with exactly the model that it names.
    package func isInstalled(_ voice: Voice) -> Bool { store.isInstalled(voice) }

    /// Whether the voice could speak now, with exactly the model that it names.
    package func isComplete(_ voice: Voice) -> Bool {
        condition(of: voice) == .builtIn || condition(of: voice) == .ready && isInstalled(voice)
    }

    // MARK: - Names

    /// What to type for the voice now: every hint says this.
    package func word(for voice: Voice) -> String { inventory.word(for: voice, among: directory) }

    /// What the configuration calls the voice: it means no other, whatever is downloaded later.
    package func lastingWord(for voice: Voice) -> String { directory.word(for: voice) }

    /// The voice that a name means, installed or not, of an installed engine.
    package func voice(_ name: String, engine: String? = nil) throws(SpeechError) -> Voice {
        try choice(name, engine: engine).voice
    }

    /// The voice and speaker, or the blend, that a name means.
    package func choice(_ name: String, engine: String? = nil) throws(SpeechError) -> VoiceChoice {
        return try inventory.choose(
            VoiceQuery(name: name, engine: engine, preferredEngine: configuration.engine))
    }

    /// The voice with its model in another precision.
    package func voice(_ voice: Voice, precision: String) throws(SpeechError) -> Voice {
        if let model = registry.model(of: voice, precision: precision) { return voice.using(model) }
        throw .precisionUnknown(
            precision, title: voice.title, known: registry.precisions(of: voice).map { voice.using($0) })
    }

    /// The voice that a name means: the one that would speak, else one of all that are known, whether it and its engine are
    /// here or not.
    ///
    /// - Parameter suggestsHidden: whether hidden voices are suggested for an unknown name.
    package func known(_ name: String, suggestsHidden: Bool = false) throws(SpeechError) -> Voice {
        if let choice = try? choice(name) {
            if choice.speaker == nil, !choice.isBlend { return choice.voice }
            throw .voiceNotSingle(
                name, isBlend: choice.isBlend, words: choice.shares.map { word(for: $0.voice) })
        }
        do {
            return try VoiceDirectory.find(
                name, among: everyVoice, hidden: suggestsHidden ? VoiceNames() : marks.hidden)
        } catch {
            throw SpeechError(error)
        }
    }

    /// The voices in the store that the names mean, each once.
    ///
    /// - Parameter takesBest: whether the best is meant if voices differ in quality only.
    /// - Throws: `voiceBuiltIn` or `voiceNotInstalled` for a voice that has no files.
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
                throw condition(of: known) == .builtIn
                    ? .voiceBuiltIn(known.title, engine: known.engine)
                    : .voiceNotInstalled(known.title)
            }
        }
        return found
    }

    // MARK: - Lists

    /// Every voice with files in the store, complete or not, whether its engine is installed or not.
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

    /// Every known voice, each once, whether it and its engine are here or not.
    package var everyVoice: [Voice] {
        var seen: Set<String> = []
        return (directory.voices + stored + registry.voices).filter { seen.insert($0.key).inserted }
    }

    /// The voices that are not hidden.
    package func visible(_ voices: [Voice]) -> [Voice] { voices.filter { !marks.hidden.contains($0) } }

    /// The voices that are offered to new users, the best first.
    package var offers: [Voice] { directory.offers(for: host.language) }

    /// A few of the offers, each in one quality only.
    package var fewOffers: [Voice] { Self.few(offers) }

    private static func few(_ offers: [Voice]) -> [Voice] {
        var titles: Set<String> = []
        return Array(offers.filter { titles.insert("\($0.engine) \($0.title)").inserted }.prefix(6))
    }

    /// The voices of a short list: the installed ones, and a few others that are offered first for a language.
    ///
    /// - Parameters:
    ///   - voices: of the directory.
    ///   - language: BCP-47; nil = the user's.
    package func shown(of voices: [Voice], for language: String?) -> [Voice] {
        let part = VoiceDirectory(engines: directory.engines, voices: voices, hidden: directory.hidden)
        let here = inventory.shown(of: part).voices
        var seen: Set<String> = []
        return
            (here.filter { condition(of: $0) == .ready } + Self.few(part.offers(for: language ?? host.language)) + here)
            .filter { seen.insert($0.folder).inserted }
    }

    /// What to offer instead of this voice: the next best ones, then those that are installed or meant for new users.
    package func alternatives(to voice: Voice) -> [Voice] {
        let shown = visible(inventory.shown(of: directory).voices).filter { condition(of: $0) != .builtIn }
        var seen: Set<String> = [voice.folder]
        return (fewOffers + shown).filter { seen.insert($0.folder).inserted }
    }
}
