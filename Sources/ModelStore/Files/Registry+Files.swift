package import VoiceCatalogue

extension Registry {
    /// The shipped registry, with the user's own merged over it if there is one. Blocks.
    package init(shipped: String, user: String?, files: any StoreFiles = SystemFiles()) throws(RegistryError) {
        var documents = [(origin: shipped, text: try Registry.read(shipped, files))]
        if let user, files.kind(of: user) != nil { documents.append((user, try Registry.read(user, files))) }
        try self.init(documents)
    }

    /// The path of the user's own registry: `$XDG_DATA_HOME/synthhost/models.json`.
    package static func userPath(environment: [String: String]) -> String {
        ModelStore.defaultRoot(environment: environment) + ".json"
    }

    private static func read(_ path: String, _ files: any StoreFiles) throws(RegistryError) -> [UInt8] {
        do {
            return try files.contents(of: path, limit: 64 << 20)
        } catch {
            throw RegistryError(origin: .file(path), .unreadable(reason: "\(error.reason)"))
        }
    }
}
