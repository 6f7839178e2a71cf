import Glibc
package import System

/// A new folder for the files of a check, deleted with its contents when the value is freed.
package final class ScratchFolder: Sendable {
    package let path: String

    /// Below `parent`, or below the folder for temporary files.
    package init(in parent: String? = nil) throws(Errno) {
        // Absolute, because the process of a check has another working directory.
        let base = absolutePath(parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
        var name = Array("\(base)/synthhost-check-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw Errno.last }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        chmod(path, 0o700)
        for name in FolderListing.names(in: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
