import Glibc
package import SynthCatalogue
package import SynthModelStore
import SynthSpeech
package import SynthSystem

/// What is done with the files of voices.
extension VoiceLibrary {
    // MARK: - Looking

    /// The folder of a voice that is complete.
    package func folder(of voice: Voice) -> String? {
        store.installedVoice(id: voice.id, engine: voice.engine)?.folder
    }

    /// The model of a voice as it is here, which may differ from the one that a new download would use.
    package func installedModel(of voice: Voice) -> Model? {
        store.installedVoice(id: voice.id, engine: voice.engine)?.voice.model
    }

    /// The bytes of a voice on the disk, and when it was used last, in seconds since 1970; nil = none of its own are here.
    package func diskUse(of voice: Voice) -> (size: Int64, lastUsed: Int64?)? {
        store.diskUse(of: voice).map { ($0.size, $0.lastUsed) }
    }

    /// The bytes of everything in the store.
    package var bytesOnDisk: Int64 { store.diskUse().reduce(0) { $0 + $1.size } }

    /// The bytes that must still be downloaded for the voice.
    package func missingBytes(of voice: Voice) -> Int64 { store.missingBytes(of: voice) }

    /// How much must be downloaded for the voice: "5.4 MB", or "4.0 MB left of 5.4 MB" if a part is here.
    package func missingWords(of voice: Voice) -> String { store.missingWords(of: voice) }

    /// Whether its files can be downloaded again; those that the user added cannot.
    package func isFetched(_ voice: Voice) -> Bool { registry.voices.contains { $0.folder == voice.folder } }

    // MARK: - Downloading

    /// Downloads what is missing of a voice. Begins at once. How loud it is is not measured.
    ///
    /// - Parameters:
    ///   - offered: files of the user's that may be some of the voice's.
    ///   - executor: of the work; nil = Swift's default.
    package func download(
        _ voice: Voice, offering offered: [String] = [], on executor: (any TaskExecutor)? = nil
    ) -> VoiceDownload {
        VoiceDownload([voice], store: store, offering: offered, on: executor)
    }

    /// The installed voices that should move to the model of this one, in that model: two precisions of a model would take
    /// space twice, and their voices could not be blended.
    package func followers(of voice: Voice) -> [Voice] {
        guard let model = voice.model else { return [] }
        return registry.voices.filter { other in
            other.model?.family == model.family && condition(of: other) == .ready && !isInstalled(other.using(model))
        }.map { $0.using(model) }
    }

    /// The models of a voice in other precisions that no installed voice uses, with their bytes on the disk.
    package func unusedModels(beside voice: Voice) -> [(model: Model, bytes: Int64)] {
        registry.models.compactMap { old in
            guard let model = voice.model, old.family == model.family, old.id != model.id else { return nil }
            return store.unusedBytes(of: old).map { (old, $0) }
        }
    }

    // MARK: - Checking

    /// Computes the digests of all files of the voices again; nil = of all that is installed. What is damaged is removed
    /// if it can be downloaded again.
    package func verify(_ voices: [Voice]?) async throws(SpeechError) -> [DamagedFile] {
        var seen: Set<String> = []
        let entries = voices.map { voices in
            voices.flatMap { [$0.folder, $0.model?.id].compactMap { $0 } }.filter { seen.insert($0).inserted }
        }
        do {
            return try await store.verify(entries).map {
                DamagedFile(entry: $0.entry, path: $0.path, reason: $0.reason)
            }
        } catch {
            throw SpeechError(error)
        }
    }

    // MARK: - Removing

    /// What no voice needs and no process is working on, in the store and in the caches, and what the store did not make.
    package var pruneCandidates: [PruneCandidate] {
        store.pruneCandidates(registry) + CacheLeftovers(inventory).candidates
    }

    /// Removes what the store made of the candidates that still are candidates.
    ///
    /// - Returns: what was removed, and what the first failure was, after all the others were tried.
    package func prune(
        _ candidates: [PruneCandidate]
    ) async -> (removed: [PruneCandidate], failure: SpeechError?) {
        let outside = CacheLeftovers(inventory).remove(candidates.filter { !$0.isInStore })
        let candidates = candidates.filter(\.isInStore)
        do {
            let removed = try await store.prune(candidates, registry) + outside.removed
            return (removed, outside.failure.map { SpeechError(StoreError.file($0)) })
        } catch {
            let left = Set(pruneCandidates.map(\.path))
            // The cache was cleaned before the store, so its failure was the first.
            return (
                candidates.filter { !left.contains($0.path) } + outside.removed,
                outside.failure.map { SpeechError(StoreError.file($0)) } ?? SpeechError(error)
            )
        }
    }

    /// Removes a voice from the store, and its model if no other voice uses it. Blocks.
    ///
    /// A chosen voice is forgotten, so that the next speech does not ask for it.
    ///
    /// - Throws: `store` if nothing, or not everything, was removed; `configuration` if it was, and is named there still.
    package func remove(_ voice: Voice) throws(SpeechError) -> VoiceRemoval {
        let isChosen = isRemembered(voice)
        var removal: VoiceRemoval
        do {
            let removed = try store.removeNow(voice)
            removal = VoiceRemoval(freed: removed.freed, foreign: removed.foreign)
        } catch {
            throw SpeechError(error)
        }
        guard isChosen else { return removal }
        let isLast = inventory.ready.voices.allSatisfy { $0.engine != voice.engine }
        removal.lostEngine = try host.forgetVoice(of: voice.engine, withEngine: isLast)
        removal.wasChosen = true
        return removal
    }

    /// Whether the configuration names the voice for its engine.
    private func isRemembered(_ voice: Voice) -> Bool {
        guard let name = configuration.voices[voice.engine] else { return false }
        var folders: Set<String> = []
        let others = (inventory.all(in: registry).voices + stored).filter { other in
            other.engine == voice.engine && folders.insert(other.folder).inserted
        }
        return (try? VoiceDirectory.find(name, among: others))?.folder == voice.folder
    }
}

/// A file of the store that is not what it should be.
package struct DamagedFile: Sendable {
    /// Of the voice or model that it belongs to.
    let entry: String
    /// Absolute.
    package let path: String
    /// In words for the user.
    package let reason: String

    /// Whether it is one of the voice's, or of its model's.
    package func belongs(to voice: Voice) -> Bool { entry == voice.folder || entry == voice.model?.id }
}

/// What was removed with a voice.
package struct VoiceRemoval: Equatable, Sendable {
    /// Bytes that are free again.
    package var freed: Int64
    /// Files beside it that the store did not make, which stay. Absolute.
    package var foreign: [String] = []
    /// It was the chosen voice of its engine, which has none any more.
    package var wasChosen = false
    /// Its engine was the chosen one and has no other voice, so it is not chosen any more either.
    package var lostEngine = false
}
