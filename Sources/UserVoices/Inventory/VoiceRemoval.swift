package import ModelStore
package import Synthesis
package import VoiceCatalogue

/// What was removed with a voice.
package struct VoiceRemoval: Hashable, Sendable {
    package enum Failure: Error, Sendable {
        case registry(RegistryError)
        /// Nothing, or not everything, was removed.
        case store(StoreError)
        /// The voice is removed, and the configuration names it still.
        case configuration(ConfigurationError)
    }

    /// Bytes that are free again.
    package var freed: Int64
    /// Files beside it that the store did not make, which stay. Absolute.
    package var foreign: [String] = []
    /// It was the chosen voice of its engine, which has none any more.
    package var wasChosen = false
    /// Its engine was the chosen one and has no other voice, so it is not chosen any more either.
    package var lostEngine = false
}

extension VoiceRemoval.Failure {
    /// Why the files are still there; nil = they are not.
    package var problem: VoiceDownloadProblem? {
        if case .store(let error) = self { VoiceDownloadProblem(error) } else { nil }
    }
}

extension Inventory {
    /// Every voice with files in the store, complete or not, whether its engine is here or not.
    package func stored(in registry: Registry) -> [Voice] {
        let known = registry.voices.filter { host.store.holds($0) }
        let folders = Set(known.map(\.folder))
        let own = host.store.installedVoices().map(\.voice) + host.store.damagedVoices().map(\.voice)
        return known + own.filter { !folders.contains($0.folder) }
    }

    /// Removes a voice from the store, and its model if no other voice uses it. Blocks.
    ///
    /// A chosen voice is forgotten, so that the next speech does not ask for it.
    package func remove(_ voice: Voice) throws(VoiceRemoval.Failure) -> VoiceRemoval {
        let isChosen: Bool
        do throws(RegistryError) {
            isChosen = isRemembered(voice, in: try registry())
        } catch {
            throw .registry(error)
        }
        var removal: VoiceRemoval
        do throws(StoreError) {
            let removed = try host.store.removeNow(voice)
            removal = VoiceRemoval(freed: removed.freed, foreign: removed.foreign)
        } catch {
            throw .store(error)
        }
        guard isChosen else { return removal }
        let isLast = ready.voices.allSatisfy { $0.engine != voice.engine }
        do throws(ConfigurationError) {
            removal.lostEngine = try host.forgetVoice(of: voice.engine, withEngine: isLast)
        } catch {
            throw .configuration(error)
        }
        removal.wasChosen = true
        return removal
    }

    /// Whether the configuration names the voice for its engine.
    private func isRemembered(_ voice: Voice, in registry: Registry) -> Bool {
        guard let name = host.presets.voices[voice.engine] else { return false }
        var folders: Set<String> = []
        let others = (all(in: registry).voices + stored(in: registry)).filter { other in
            other.engine == voice.engine && folders.insert(other.folder).inserted
        }
        return (try? VoiceDirectory.find(name, among: others))?.folder == voice.folder
    }
}
