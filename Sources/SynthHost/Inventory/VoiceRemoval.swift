package import ModelStore
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
