import ModelStore
import SynthHost
import VoiceCatalogue

/// The result of `models registry`.
struct RegistryResult: Encodable {
    struct Part: Encodable {
        /// A path, or "engine ID".
        let origin: String
        let sources: Int
        let models: Int
        let voices: Int
        /// What it replaces of earlier registries: "voice en_GB-alan-medium".
        let overrides: [String]
    }

    /// In the order of merging.
    let registries: [Part]
    let ownPath: String
    let mirror: String?
    let offline: Bool
    /// The variables that set a proxy or an exception, without user names and passwords.
    let proxy: [String: String]

    var hasOwn: Bool { registries.contains { $0.origin == ownPath } }

    init(_ library: VoiceLibrary, environment: [String: String]) {
        registries = library.registry.parts.map { part in
            Part(
                origin: part.origin, sources: part.sourceCount, models: part.modelCount, voices: part.voiceCount,
                overrides: part.overridden)
        }
        ownPath = library.host.ownRegistry
        mirror = library.host.network.mirror.map(NetworkPolicy.withoutCredentials)
        offline = library.host.network.isOffline
        proxy = NetworkPolicy.proxies(environment: environment)
    }
}
