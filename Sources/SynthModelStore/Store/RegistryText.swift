package import SynthCatalogue
import SynthSystem

/// The content of a registry's file, which was read once.
package struct RegistryText: Sendable {
    package let path: String
    package let content: Result<[UInt8], RegistryError>

    private static let limit = 64 << 20

    init(_ path: String, _ files: any StoreFiles) {
        self.path = path
        do {
            content = .success(try files.contents(of: path, limit: Self.limit))
        } catch {
            content = .failure(RegistryError(origin: .file(path), .unreadable(reason: "\(error.reason)")))
        }
    }

    /// The shipped registry, if there is one, and the user's own, if it exists. Blocks.
    package static func all(
        shipped: String?, user: String?, files: any StoreFiles = SystemFiles()
    ) -> [RegistryText] {
        let own = user.flatMap { files.kind(of: $0) == nil ? nil : RegistryText($0, files) }
        return [shipped.map { RegistryText($0, files) }, own].compactMap(\.self)
    }
}

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
