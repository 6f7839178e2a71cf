/// How much an archive may unpack to. Beyond that it counts as an attack or a mistake.
package struct ArchiveLimits: Sendable, Hashable, Codable {
    package var entries = 10_000
    /// In bytes.
    package var total: Int64 = 8 << 30
    /// Unpacked bytes for each packed byte.
    package var ratio: Int64 = 200
    /// Of a whole path, in bytes.
    package var nameLength = 1024
    /// Folders inside folders.
    package var depth = 16

    package init() {}
}
