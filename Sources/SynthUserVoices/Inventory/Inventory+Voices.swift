package import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
package import SynthSpeech
import SynthSystem

extension Inventory {
    /// Returns all known voices. Ready voices come first.
    package func voices() throws(SpeechError) -> [SpeechVoice] {
        let marks = VoiceMarks(host.presets)
        do {
            return try all().voices.map { voice(VoiceChoice(voice: $0), marks) }
        } catch {
            throw SpeechError(error)
        }
    }

    /// The IDs of the usable engines, in order and without example engines.
    package var speakingEngines: [String] {
        plugins.compactMap(\.engine).filter { !$0.capabilities.contains(.isExample) }.map(\.id)
    }

    /// The ready voices, without hidden ones and those of example engines. Favorites come first, then installed voices, then built-in ones,
    /// of which there may be a hundred. Within each group, voices in the user's language come first.
    package var readyVoices: [SpeechVoice] {
        let marks = VoiceMarks(host.presets)
        let directory = ready
        let examples = Set(directory.engines.filter(\.isExample).map(\.id))
        let voices = directory.voices.filter { !examples.contains($0.engine) }
        let near = voices.filter { $0.speaks(nearLanguage) } + voices.filter { !$0.speaks(nearLanguage) }
        return marks.favouritesFirst(builtInLast(near))
            .map { voice(VoiceChoice(voice: $0), marks) }.filter { !$0.isHidden && $0.state == .ready }
    }

    /// Returns the recommended voices for all languages, installed or not, without hidden ones.
    package func recommendedVoices() throws(SpeechError) -> [SpeechVoice] {
        let marks = VoiceMarks(host.presets)
        do {
            return try all().recommended.map { voice(VoiceChoice(voice: $0), marks) }
        } catch {
            throw SpeechError(error)
        }
    }

    /// Returns a built-in voice of the default engine for a language, or nil if there is none.
    package func builtInVoice(for language: String) -> SpeechVoice? {
        guard let choice = try? choose(VoiceQuery(language: language, engine: firstEngine)),
            condition(of: choice.voice) == .builtIn
        else { return nil }
        return voice(choice)
    }

    /// Finds the voice for a query, which is completed with the user's configuration.
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

    /// Returns a voice or a blend with its state on this machine.
    ///
    /// - Parameter marks: the user's marks, or nil to read them from the configuration.
    package func voice(_ choice: VoiceChoice, _ marks: VoiceMarks? = nil) -> SpeechVoice {
        let states = choice.shares.map { state(of: $0.voice) }
        return SpeechVoice(
            choice, state: states.first { $0 != .ready } ?? .ready, marks ?? VoiceMarks(host.presets))
    }

    private func state(of voice: Voice) -> SpeechVoice.State {
        if let why = voice.unsupported { return unusable(.unsupportedVoice(title: voice.title, why: why)) }
        return switch condition(of: voice) {
        case .builtIn, .ready: .ready
        case .notDownloaded: .notDownloaded(bytes: host.store.missingBytes(of: voice))
        case .damaged(let why): unusable(.damaged(title: voice.title, id: voice.id, why: why))
        case .unsupported: unusable(.missingEngine(title: voice.title, engine: voice.engine))
        case .engineMissing(let engine): unusable(.missingEngine(title: voice.title, engine: engine))
        }
    }

    private func unusable(_ error: VoiceError) -> SpeechVoice.State { .unusable(SpeechError(error)) }
}

extension Inventory {
    /// Returns all voices of the installed engines, in the order of the full list.
    package func libraryVoices() throws(SpeechError) -> [LibraryVoice] {
        let directory: VoiceDirectory
        do {
            directory = try all()
        } catch {
            throw SpeechError(error)
        }
        let marks = VoiceMarks(host.presets)
        return marks.favouritesFirst(nearestFirst(directory.voices)).map { libraryVoice($0, marks) }
    }

    private func libraryVoice(_ voice: Voice, _ marks: VoiceMarks) -> LibraryVoice {
        let known = self.voice(VoiceChoice(voice: voice), marks)
        let isStored = host.store.holds(voice)
        // The installed version may differ from the version that a new download would install.
        let onDisk = isStored && known.state == .ready ? host.store.diskUse(of: voice)?.size : nil
        return LibraryVoice(
            known, starter: voice.starter, size: onDisk ?? voice.downloadSize, isRemovable: isStored)
    }

    /// The default voice, or nil if there is none.
    package var chosen: Voice? { (try? choose(completed(VoiceQuery())))?.voice }

    /// The user's language without its region, or English if it is unknown.
    package var nearLanguage: String { String((host.language ?? "en").prefix { $0 != "-" }) }

    /// Moves built-in voices to the end: an engine may have a hundred of them.
    package func builtInLast(_ voices: [Voice]) -> [Voice] {
        let isBuiltIn = voices.map { condition(of: $0) == .builtIn }
        return zip(voices, isBuiltIn).filter { !$0.1 }.map(\.0) + zip(voices, isBuiltIn).filter(\.1).map(\.0)
    }

    /// Moves voices in the user's language to the front. Within both groups, built-in voices come last.
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

/// A voice with the information that clients need to download and remove it.
package struct LibraryVoice: Equatable, Sendable {
    package let voice: SpeechVoice
    /// The rank among the starter voices, starting at 1, or nil if it is not a starter voice.
    package let starter: Int?
    /// The size in bytes of the voice's files, including the model: the size on disk if they are complete, otherwise the download size.
    package let size: Int64
    /// Whether the voice has files on disk, complete or not.
    package let isRemovable: Bool

    package init(_ voice: SpeechVoice, starter: Int? = nil, size: Int64, isRemovable: Bool) {
        self.voice = voice
        self.starter = starter
        self.size = size
        self.isRemovable = isRemovable
    }

    /// A unique key: "kokoro/af_heart".
    package var key: String { voice.choice.voice.key }

    /// The number of bytes to download. 0 if the voice is complete or cannot be downloaded.
    package var missing: Int64 { if case .notDownloaded(let bytes) = voice.state { bytes } else { 0 } }
}
