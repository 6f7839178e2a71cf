/// One file that a voice or a model needs, with its download address.
package struct ModelFile: Sendable, Hashable {
    /// The engine's name for it: `[a-z0-9-]+`.
    package let role: String
    /// Its name in the store's folder.
    package let name: String
    package let url: String
    /// In bytes, as it is downloaded.
    package let size: Int64
    package let digest: Digest
    /// Set if the file is an archive, which is unpacked and then deleted.
    package let archive: ArchiveContents?
    /// Whether a voice is complete without it.
    package let isOptional: Bool
    /// The language (BCP-47) whose voices use it; nil = any.
    package let language: String?

    package init(
        role: String, name: String, url: String, size: Int64, digest: Digest, archive: ArchiveContents? = nil,
        isOptional: Bool = false, language: String? = nil
    ) {
        self.role = role
        self.name = name
        self.url = url
        self.size = size
        self.digest = digest
        self.archive = archive
        self.isOptional = isOptional
        self.language = language
    }

    /// The unpacked size in bytes, estimated if it is not known; 0 if it is not an archive.
    package var unpackedSize: Int64 { archive.map { $0.unpackedSize ?? size * 2 } ?? 0 }
}
