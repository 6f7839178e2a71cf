/// One file that a voice or a model needs, and where it comes from.
package struct ModelFile: Sendable, Hashable {
    /// What the engine calls it: `[a-z0-9-]+`.
    package let role: String
    /// Its name in the store's folder.
    package let name: String
    package let url: String
    /// In bytes, as it is downloaded.
    package let size: Int64
    package let digest: Digest
    /// Set where the file is an archive that is unpacked and not kept.
    package let archive: ArchiveContents?

    package init(
        role: String, name: String, url: String, size: Int64, digest: Digest, archive: ArchiveContents? = nil
    ) {
        self.role = role
        self.name = name
        self.url = url
        self.size = size
        self.digest = digest
        self.archive = archive
    }

    /// What stays on the disk, in bytes, as far as it is known before unpacking.
    package var unpackedSize: Int64 { archive.map { $0.unpackedSize ?? size * 2 } ?? 0 }
}
