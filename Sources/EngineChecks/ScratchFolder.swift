import Glibc
package import System

/// A fresh folder for what checks leave behind, removed with all that is in it.
package final class Scratch: Sendable {
    package let path: String

    /// Below `parent`, or below the folder for temporary files.
    package init(in parent: String? = nil) throws(Errno) {
        // Who works in it works elsewhere.
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
