package import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
package import SynthSpeech
import SynthSystem

extension HostSnapshot {
    /// Returns the voices in the given list, with their states and marks.
    package func voices(_ list: VoiceSelection) throws(SpeechError) -> [SpeechVoice] {
        let marks = VoiceMarks(host.presets)
        switch list {
        case .all: return try known().voices.map { voice(VoiceChoice(voice: $0), marks) }
        case .ready: return readyVoices
        case .recommended: return try known().recommended.map { voice(VoiceChoice(voice: $0), marks) }
        case .library: return marks.favoritesFirst(nearestFirst(try known().voices)).map { libraryVoice($0, marks) }
        case .builtIn(let language): return builtInVoice(for: language).map { [$0] } ?? []
        }
    }

    private func known() throws(SpeechError) -> VoiceDirectory {
        try rethrowing(all(), as: RegistryError.asSpeechError)
    }

    /// The ready voices, except hidden voices and voices of example engines. Favorites come first, then installed
    /// voices, then built-in voices, because a single engine may have a hundred of those. Within each group, voices in
    /// the user's language come first.
    package var readyVoices: [SpeechVoice] {
        let marks = VoiceMarks(host.presets)
        let directory = ready
        let examples = Set(directory.engines.filter(\.isExample).map(\.id))
        let voices = directory.voices.filter { !examples.contains($0.engine) }
        let near = voices.filter { $0.speaks(nearLanguage) } + voices.filter { !$0.speaks(nearLanguage) }
        return marks.favoritesFirst(builtInLast(near))
            .map { voice(VoiceChoice(voice: $0), marks) }.filter { !$0.isHidden && $0.state == .ready }
    }

    /// Returns the default engine's built-in voice for a language, or nil if there is none.
    private func builtInVoice(for language: String) -> SpeechVoice? {
        guard let choice = try? choose(VoiceQuery(language: language, engine: firstEngine)),
            isBuiltIn(choice.voice)
        else { return nil }
        return voice(choice)
    }

    /// Completes a query with the user's configuration and finds its voice.
    package func voice(_ query: VoiceQuery) throws(SpeechError) -> SpeechVoice {
        voice(try choose(completed(query)))
    }

    /// Completes a query with the user's configuration.
    package func completed(_ query: VoiceQuery) -> VoiceQuery {
        let presets = host.presets
        var query = query
        query.preferredEngine = presets.engine
        query.remembered = presets.voices
        query.localeLanguage = host.language
        return query
    }

    /// Returns a voice or a blend along with its state on this machine.
    ///
    /// - Parameter marks: the user's marks, or nil to read them from the configuration.
    package func voice(_ choice: VoiceChoice, _ marks: VoiceMarks? = nil) -> SpeechVoice {
        SpeechVoice(choice, state: state(of: choice), marks ?? VoiceMarks(host.presets))
    }

    private func state(of choice: VoiceChoice) -> SpeechVoice.State {
        choice.shares.lazy.map { self.state(of: $0.voice) }.first { $0 != .ready } ?? .ready
    }
}

extension HostSnapshot {
    private func libraryVoice(_ voice: Voice, _ marks: VoiceMarks) -> SpeechVoice {
        let choice = VoiceChoice(voice: voice)
        let state = state(of: choice)
        let isStored = host.store.holds(voice)
        // Report the size on disk, because the installed version may differ from the version that a new download would
        // install.
        return SpeechVoice(
            choice, state: state, marks, size: isStored && state == .ready ? host.store.diskUse(of: voice)?.size : nil,
            isRemovable: isStored)
    }

    /// The default voice, or nil if there is none.
    package var chosen: Voice? { (try? choose(completed(VoiceQuery())))?.voice }

    /// The user's language without its region, or English if it is unknown.
    package var nearLanguage: String { String((host.language ?? "en").prefix { $0 != "-" }) }

    /// Moves built-in voices to the end, because a single engine may have a hundred of them.
    package func builtInLast(_ voices: [Voice]) -> [Voice] {
        let isBuiltIn = voices.map(isBuiltIn)
        return zip(voices, isBuiltIn).filter { !$0.1 }.map(\.0) + zip(voices, isBuiltIn).filter(\.1).map(\.0)
    }

    /// Moves voices in the user's language to the front. Within each group, built-in voices come last.
    package func nearestFirst(_ voices: [Voice]) -> [Voice] {
        builtInLast(voices.filter { $0.speaks(nearLanguage) }) + builtInLast(voices.filter { !$0.speaks(nearLanguage) })
    }

    /// The model of a voice, or nil if its engine or its files are missing.
    package func model(of voice: Voice) -> ModelKey? {
        guard let plugin = plugin(of: voice), let engine = plugin.engine,
            let prepared = try? prepare(VoiceChoice(voice: voice), of: engine, isUse: false)
        else { return nil }
        return ModelKey(plugin: plugin.path, prepared.load)
    }
}

/// A list of voices.
package enum VoiceSelection: Sendable {
    case all
    /// The ready voices, except hidden voices. Built-in voices come last.
    case ready
    /// The recommended voices of all languages, installed or not, except hidden voices.
    case recommended
    /// All known voices, favorites first, then those in the user's language, with the sizes of their files on disk.
    case library
    /// A built-in voice of the default engine for a language. The list is empty if none exists.
    case builtIn(language: String)
}
