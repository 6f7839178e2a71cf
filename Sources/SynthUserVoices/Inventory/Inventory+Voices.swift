package import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
package import SynthSpeech
import SynthSystem

extension Inventory {
    /// All voices that are known; those that could speak now come first.
    package func voices() throws(SpeechError) -> [SpeechVoice] {
        let marks = VoiceMarks(host.presets)
        do {
            return try all().voices.map { voice(VoiceChoice(voice: $0), marks) }
        } catch {
            throw SpeechError(error)
        }
    }

    /// The ids of the engines that can be used, without examples, in their order.
    package var speakingEngines: [String] {
        plugins.compactMap(\.engine).filter { !$0.capabilities.contains(.isExample) }.map(\.id)
    }

    /// The voices that could speak now, without hidden ones and those of engines that are examples: the favourites first, then the
    /// installed ones, then those that engines have built in, of which there may be a hundred. Within these, voices of the user's
    /// language come first.
    package var readyVoices: [SpeechVoice] {
        let marks = VoiceMarks(host.presets)
        let directory = ready
        let examples = Set(directory.engines.filter(\.isExample).map(\.id))
        let voices = directory.voices.filter { !examples.contains($0.engine) }
        let near = voices.filter { $0.speaks(nearLanguage) } + voices.filter { !$0.speaks(nearLanguage) }
        return marks.favouritesFirst(builtInLast(near))
            .map { voice(VoiceChoice(voice: $0), marks) }.filter { !$0.isHidden && $0.state == .ready }
    }

    /// The voices that are recommended, for every language that has one, whether they are here or not. Hidden ones are left
    /// out.
    package func recommendedVoices() throws(SpeechError) -> [SpeechVoice] {
        let marks = VoiceMarks(host.presets)
        do {
            return try all().recommended.map { voice(VoiceChoice(voice: $0), marks) }
        } catch {
            throw SpeechError(error)
        }
    }

    /// A voice of the language that the first engine speaks without any file; nil = there is none.
    package func spareVoice(for language: String) -> SpeechVoice? {
        guard let choice = try? choose(VoiceQuery(language: language, engine: firstEngine)),
            condition(of: choice.voice) == .builtIn
        else { return nil }
        return voice(choice)
    }

    /// The voice that is meant, as the user configured it for what the query leaves open.
    package func voice(_ query: VoiceQuery) throws(SpeechError) -> SpeechVoice {
        voice(try choose(completed(query)))
    }

    /// A query with what the user configured.
    package func completed(_ query: VoiceQuery) -> VoiceQuery {
        let presets = host.presets
        var query = query
        query.preferredEngine = presets.engine
        query.remembered = presets.voices
        query.localeLanguage = host.language
        return query
    }

    /// A voice or a blend as it is here.
    ///
    /// - Parameter marks: nil = those of the configuration.
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
    /// All voices of the engines that are here, in the order of a long list.
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
        // What is installed need not be what a new download would bring.
        let onDisk = isStored && known.state == .ready ? host.store.diskUse(of: voice)?.size : nil
        return LibraryVoice(
            known, starter: voice.starter, size: onDisk ?? voice.downloadSize, isRemovable: isStored)
    }

    /// The voice that speaks if none is named; nil = there is none.
    package var chosen: Voice? { (try? choose(completed(VoiceQuery())))?.voice }

    /// The user's language without its region; English if that is unknown.
    package var nearLanguage: String { String((host.language ?? "en").prefix { $0 != "-" }) }

    /// Puts built-in voices last, because an engine may have a hundred of them.
    package func builtInLast(_ voices: [Voice]) -> [Voice] {
        let isBuiltIn = voices.map { condition(of: $0) == .builtIn }
        return zip(voices, isBuiltIn).filter { !$0.1 }.map(\.0) + zip(voices, isBuiltIn).filter(\.1).map(\.0)
    }

    /// Puts voices of the user's language first, and in both groups the built-in ones last.
    package func nearestFirst(_ voices: [Voice]) -> [Voice] {
        builtInLast(voices.filter { $0.speaks(nearLanguage) }) + builtInLast(voices.filter { !$0.speaks(nearLanguage) })
    }

    /// What is loaded to speak with a voice; nil = its engine or its files are not here.
    package func model(of voice: Voice) -> ModelKey? {
        guard let plugin = plugin(of: voice), let engine = plugin.engine,
            let prepared = try? prepare(VoiceChoice(voice: voice), of: engine, isUse: false)
        else { return nil }
        return ModelKey(plugin: plugin.path, prepared.load)
    }
}

/// A voice with what those need to know who download and remove voices.
package struct LibraryVoice: Equatable, Sendable {
    package let voice: SpeechVoice
    /// Its place among the voices that newcomers are offered, from 1; nil = it is none of them.
    package let starter: Int?
    /// Bytes of its files, its model's included: those on the disk if it is complete, else those of its download.
    package let size: Int64
    /// Whether files of its own are on the disk, complete or not.
    package let isRemovable: Bool

    package init(_ voice: SpeechVoice, starter: Int? = nil, size: Int64, isRemovable: Bool) {
        self.voice = voice
        self.starter = starter
        self.size = size
        self.isRemovable = isRemovable
    }

    /// "kokoro/af_heart": no other voice has it.
    package var key: String { voice.choice.voice.key }

    /// Bytes to download; 0 = none, or it cannot be downloaded.
    package var missing: Int64 { if case .notDownloaded(let bytes) = voice.state { bytes } else { 0 } }
}
