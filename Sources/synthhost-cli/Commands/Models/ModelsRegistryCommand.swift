import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// `synthhost models registry`: shows the merged registries and the download settings.
struct ModelsRegistryCommand: Command {
    let context: CommandContext

    func run() throws {
        let library = try context.library()
        let (parts, host) = (library.registry.parts, library.host)
        let mirror = host.network.mirror.map(NetworkPolicy.withoutCredentials)
        let proxies = NetworkPolicy.proxies(environment: context.environment)
        if arguments[Options.json] {
            let registries = parts.map { part -> JSONMembers in
                [
                    "origin": part.origin, "sources": part.sourceCount, "models": part.modelCount,
                    "voices": part.voiceCount, "branches": part.branches, "overrides": part.overridden,
                ]
            }
            let result: JSONMembers = [
                "registries": registries, "ownPath": host.ownRegistry, "mirror": mirror,
                "offline": host.network.isOffline, "proxy": proxies,
            ]
            return try context.print(json: result)
        }
        var table = Table(columns: [
            .init("REGISTRY"), .init("SOURCES", alignment: .trailing), .init("MODELS", alignment: .trailing),
            .init("VOICES", alignment: .trailing),
        ])
        for part in parts {
            table.append([part.origin, "\(part.sourceCount)", "\(part.modelCount)", "\(part.voiceCount)"])
        }
        try context.print(text: table.render(for: context.output))
        for part in parts where !part.overridden.isEmpty {
            try context.print("\(part.origin) overrides: \(part.overridden.joined(separator: ", "))")
        }
        for part in parts where !part.branches.isEmpty {
            try context.print(
                "\(part.origin) has URLs that refer to a branch: \(part.branches.joined(separator: ", ")). A file from such a URL is used only "
                    + "if its checksum matches the registry.")
        }
        if !parts.contains(where: { $0.origin == host.ownRegistry }) {
            try context.print(
                "Your own registry does not exist: \(host.ownRegistry) (see `synthhost models registry --help`)")
        }
        try context.print("Mirror: \(mirror.map { "\($0) (SYNTHHOST_MIRROR)" } ?? "none")")
        try context.print("Offline: \(host.network.isOffline ? "yes, nothing is downloaded" : "no")")
        let shown = proxies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        try context.print("Proxy: \(shown.isEmpty ? "none" : shown.joined(separator: " "))")
    }
}
