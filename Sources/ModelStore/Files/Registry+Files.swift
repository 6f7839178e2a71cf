package import VoiceCatalogue

extension Registry {
    /// The shipped registry, with the user's own merged over it if there is one. Blocks.
    package init(shipped: String, user: String?, files: any StoreFiles = SystemFiles()) throws(RegistryError) {
        try self.init(RegistryText.all(shipped: shipped, user: user, files: files))
    }

    /// Each merged over those before it.
    package init(_ texts: [RegistryText]) throws(RegistryError) {
        var documents: [(origin: String, text: [UInt8])] = []
        for text in texts { documents.append((text.path, try text.content.get())) }
        try self.init(documents)
    }

    /// The path of the user's own registry: `$XDG_DATA_HOME/synthhost/models.json`.
    package static func userPath(environment: [String: String]) -> String {
        ModelStore.defaultRoot(environment: environment) + ".json"
    }
}
