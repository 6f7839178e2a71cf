import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// `synthhost models registry`: shows the merged registries and the download settings.
struct ModelsRegistryCommand: Command {
    let context: CommandContext

    func run() throws {
        let library = try context.library()
        let result = RegistryResult(library, environment: context.environment)
        if arguments[Options.json] { return try context.print(try JSONText.line(of: result)) }
        try context.print(text: table(result).render(for: context.output))
        for part in result.registries where !part.overrides.isEmpty {
            try context.print("\(part.origin) overrides: \(part.overrides.joined(separator: ", "))")
        }
        for part in result.registries where !part.branches.isEmpty {
            try context.print(
                "\(part.origin) has URLs that refer to a branch: \(part.branches.joined(separator: ", ")). A file from such a URL is used only "
                    + "if its checksum matches the registry.")
        }
        if !result.hasOwn {
            try context.print(
                "Your own registry does not exist: \(result.ownPath) (see `synthhost models registry --help`)")
        }
        try context.print("Mirror: \(result.mirror.map { "\($0) (SYNTHHOST_MIRROR)" } ?? "none")")
        try context.print("Offline: \(result.offline ? "yes, nothing is downloaded" : "no")")
        let proxies = result.proxy.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        try context.print("Proxy: \(proxies.isEmpty ? "none" : proxies.joined(separator: " "))")
    }

    private func table(_ result: RegistryResult) -> Table {
        var table = Table(columns: [
            .init("REGISTRY"), .init("SOURCES", alignment: .trailing), .init("MODELS", alignment: .trailing),
            .init("VOICES", alignment: .trailing),
        ])
        for part in result.registries {
            table.append([part.origin, "\(part.sources)", "\(part.models)", "\(part.voices)"])
        }
        return table
    }
}

/// The result of `models registry`.
struct RegistryResult: Encodable {
    struct Part: Encodable {
        /// A path, or "engine ID".
        let origin: String
        let sources: Int
        let models: Int
        let voices: Int
        /// The sources whose URLs refer to a branch.
        let branches: [String]
        /// The entries in earlier registries that this registry overrides, such as "voice en_GB-alan-medium".
        let overrides: [String]
    }

    /// The registries in the order in which they are merged.
    let registries: [Part]
    let ownPath: String
    let mirror: String?
    let offline: Bool
    /// The proxy environment variables, without user names and passwords.
    let proxy: [String: String]

    var hasOwn: Bool { registries.contains { $0.origin == ownPath } }

    init(_ library: VoiceLibrary, environment: [String: String]) {
        registries = library.registry.parts.map { part in
            Part(
                origin: part.origin, sources: part.sourceCount, models: part.modelCount, voices: part.voiceCount,
                branches: part.branches, overrides: part.overridden)
        }
        ownPath = library.host.ownRegistry
        mirror = library.host.network.mirror.map(NetworkPolicy.withoutCredentials)
        offline = library.host.network.isOffline
        proxy = NetworkPolicy.proxies(environment: environment)
    }
}
