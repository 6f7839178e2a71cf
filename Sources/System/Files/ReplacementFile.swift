import CLinux
import Glibc

/// A new file that gets its name when it is complete. Until then a file of that name stays as it was, and a process that
/// is killed leaves nothing.
///
/// On a file system without nameless files it has a name of its own in the same folder; what killed processes left
/// there is removed by the next one.
package struct ReplacementFile: ~Copyable {
    /// Open for writing; closed when the value is freed.
    package let descriptor: Int32
    private let path: String
    private let folder: String
    /// The name that it has meanwhile.
    private var temporary: String?

    private static let prefix = ".synthhost."

    /// A file in the folder of `path`. It gets the mode of a file that is there, and, if permitted, its owner.
    /// `EPERM` or `EACCES` if the folder takes no new file, or the file that is there may not be replaced.
    ///
    /// - Parameter path: no symbolic link. A file that is there must be a regular one.
    package init(at path: String) throws(Errno) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard path.last != "/" else { throw .isFolder }
        var status = stat()
        var isThere = true
        do throws(Errno) { try Errno.check { stat(path, &status) } } catch {
            guard error == .notFound else { throw error }
            isThere = false
        }
        if isThere {
            // The permission to write what would be replaced.
            _ = try Descriptor.open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK)
            if Self.keepsFiles(of: status.st_uid, folder) { throw .notPermitted }
        }
        (descriptor, temporary) = try Self.create(in: folder)
        (self.path, self.folder) = (path, folder)
        if isThere {
            _ = fchown(descriptor, status.st_uid, status.st_gid)
            _ = fchmod(descriptor, status.st_mode & 0o777)
        }
    }

    deinit {
        close(descriptor)
        if let temporary { unlink(temporary) }
    }

    /// Syncs it, gives it its name, and closes it. After an error the file that had the name stays as it was.
    package consuming func publish() throws(Errno) {
        do throws(Errno) { try Errno.check { fsync(descriptor) } } catch {
            // Other codes say that the file system cannot sync, not that data was lost.
            if [EIO, ENOSPC, EDQUOT].contains(error.code) { throw error }
        }
        if temporary == nil {
            do throws(Errno) {
                return try name(path)
            } catch {
                guard error == .exists else { throw error }
            }
            let free = Self.freeName(in: folder)
            try name(free)
            temporary = free
        }
        if let temporary { try Errno.check { rename(temporary, path) } }
        temporary = nil
    }

    /// Whether a folder such as /tmp lets this user write a file of somebody else, but not replace it.
    private static func keepsFiles(of owner: uid_t, _ folder: String) -> Bool {
        let user = geteuid()
        var status = stat()
        return user != 0 && user != owner && stat(folder, &status) == 0 && status.st_mode & S_ISVTX != 0
            && status.st_uid != user
    }

    /// Gives it a name that no file has.
    private func name(_ path: String) throws(Errno) {
        try Errno.check { linkat(AT_FDCWD, Self.link(descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) }
    }

    private static func create(in folder: String) throws(Errno) -> (Int32, String?) {
        do throws(Errno) {
            let descriptor = try Errno.check { linux_open_unnamed(folder, 0o666) }
            // Without /proc it would never get a name.
            if access(link(descriptor), F_OK) == 0 { return (descriptor, nil) }
            close(descriptor)
        } catch {
            guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(error.code) else { throw error }
        }
        Leftovers.remove(in: folder, prefix: prefix)
        let path = freeName(in: folder)
        return (try Errno.check { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666) }, path)
    }

    private static func link(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    private static func freeName(in folder: String) -> String {
        "\(folder)/\(prefix)\(getpid()).\(UInt32.random(in: 0 ... .max))"
    }
}
