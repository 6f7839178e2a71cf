package import VoiceCatalogue

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
