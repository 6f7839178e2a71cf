import Glibc
package import SynthCatalogue
package import SynthModelStore
import SynthSpeech
package import SynthSystem

extension VoiceLibrary {
    // MARK: - Queries

    /// A voice's folder, or nil if its files are incomplete.
    package func folder(of voice: Voice) -> String? {
        store.installedVoice(id: voice.id, engine: voice.engine)?.folder
    }

    /// A voice's installed model, which may differ from the model that a new download would use.
    package func installedModel(of voice: Voice) -> Model? {
        store.installedVoice(id: voice.id, engine: voice.engine)?.voice.model
    }

    /// A voice's size on disk in bytes and the time of its last use in seconds since 1970. nil if none of its own files
    /// are installed.
    package func diskUse(of voice: Voice) -> (size: Int64, lastUsed: Int64?)? {
        store.diskUse(of: voice).map { ($0.size, $0.lastUsed) }
    }

    /// The total size of the store in bytes.
    package var bytesOnDisk: Int64 { store.bytesOnDisk }

    /// The number of bytes that must still be downloaded for a voice.
    package func missingBytes(of voice: Voice) -> Int64 { store.missingBytes(of: voice) }

    /// Whether the voice's files can be downloaded again. This is not possible for files that the user added.
    package func isFetched(_ voice: Voice) -> Bool { registry.voices.contains { $0.folder == voice.folder } }

    // MARK: - Downloads

    /// Starts downloading a voice's missing files. The loudness is not measured.
    ///
    /// - Parameters:
    ///   - offered: the user's files that may be identical to some of the voice's files.
    ///   - executor: the executor to run the work on, or nil for Swift's default.
    package func download(
        _ voice: Voice, offering offered: [String] = [], on executor: (any TaskExecutor)? = nil
    ) -> VoiceDownload {
        VoiceDownload([voice], store: store, offering: offered, on: executor)
    }

    /// Returns the installed voices that should switch to this voice's model, with their models already replaced. If
    /// they did not switch, the store would contain the model in two precisions and the voices could not be blended.
    package func followers(of voice: Voice) -> [Voice] {
        guard let model = voice.model else { return [] }
        return registry.voices.filter { other in
            other.model?.family == model.family && state(of: other) == .ready && !isBuiltIn(other)
                && !isInstalled(other.using(model))
        }.map { $0.using(model) }
    }

    /// Returns the variants of a voice's model in other precisions that no installed voice uses, with their sizes in
    /// bytes.
    package func unusedModels(beside voice: Voice) -> [(model: Model, bytes: Int64)] {
        registry.models.compactMap { old in
            guard let model = voice.model, old.family == model.family, old.id != model.id else { return nil }
            return store.unusedBytes(of: old).map { (old, $0) }
        }
    }

    // MARK: - Verification

    /// Verifies the digests of all the voices' files or, if `voices` is nil, of all files in the store. A damaged file
    /// is removed if it can be downloaded again.
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

    // MARK: - Removal

    /// Data in the store and the caches that no voice needs and no process is using, and files in the store that
    /// `synthhost` did not create.
    package var pruneCandidates: [PruneCandidate] {
        store.pruneCandidates(registry) + CacheLeftovers(inventory).candidates
    }

    /// Removes the given items that are still obsolete, except files that `synthhost` did not create.
    ///
    /// - Returns: the removed items and the first failure. A failure does not prevent the removal of the other items.
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
            // Report a failure in the caches first, because they were cleaned before the store.
            return (
                candidates.filter { !left.contains($0.path) } + outside.removed,
                outside.failure.map { SpeechError(StoreError.file($0)) } ?? SpeechError(error)
            )
        }
    }

    /// Removes a voice from the store, and its model if no other voice uses it. If the voice is the default, that
    /// setting is removed too, so that later requests do not select it. Blocks.
    ///
    /// - Throws: a store error if some files were not removed; a configuration error if the voice was removed but is
    ///   still set in the configuration.
    package func remove(_ voice: Voice) throws(SpeechError) -> VoiceRemoval {
        let isChosen = isRemembered(voice)
        let removed = try rethrowing(store.remove(voice), as: StoreError.asSpeechError)
        var removal = VoiceRemoval(freed: removed.freed, foreign: removed.foreign)
        guard isChosen else { return removal }
        let isLast = inventory.ready.voices.allSatisfy { $0.engine != voice.engine }
        removal.lostEngine = try host.forgetVoice(of: voice.engine, withEngine: isLast)
        removal.wasChosen = true
        return removal
    }

    /// Whether the voice is the configured voice for its engine.
    private func isRemembered(_ voice: Voice) -> Bool {
        guard let name = configuration.voices[voice.engine] else { return false }
        var folders: Set<String> = []
        let others = (inventory.all(in: registry).voices + stored).filter { other in
            other.engine == voice.engine && folders.insert(other.folder).inserted
        }
        return (try? VoiceDirectory.find(name, among: others))?.folder == voice.folder
    }
}

/// A damaged file in the store.
package struct DamagedFile: Sendable {
    /// The voice or model that the file belongs to.
    let entry: String
    /// The absolute path.
    package let path: String
    /// A description of the damage, as a message to the user.
    package let reason: String

    /// Whether the file belongs to a voice or its model.
    package func belongs(to voice: Voice) -> Bool { entry == voice.folder || entry == voice.model?.id }
}

/// The result of removing a voice.
package struct VoiceRemoval: Equatable, Sendable {
    /// The number of bytes freed.
    package var freed: Int64
    /// The absolute paths of files in the voice's folder that the store did not create and that were therefore not
    /// removed.
    package var foreign: [String] = []
    /// Whether the voice was its engine's default. If so, that setting was removed.
    package var wasChosen = false
    /// Whether the voice's engine was the default engine and has no voices left. If so, that setting was also removed.
    package var lostEngine = false
}
