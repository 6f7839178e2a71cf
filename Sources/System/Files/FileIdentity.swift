import Glibc

/// What changes when a file is replaced or written to.
package struct FileIdentity: Hashable, Sendable {
    package let numbers: [UInt64]

    /// nil = there is no file at this path. Links are followed.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        numbers = [
            UInt64(status.st_dev), UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)), UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
            UInt64(status.st_mode), UInt64(status.st_uid), UInt64(status.st_gid),
        ]
    }
}
