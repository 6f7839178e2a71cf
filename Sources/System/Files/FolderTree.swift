import Glibc

/// What lies below a folder, reached without following a link: each folder on the way is opened from the one above it,
/// so that whoever puts a link in its place, and whenever, gets an error and not the files that it points to.
package struct FolderTree: Sendable {
    /// What stands in the way.
    package struct Obstacle: Error {
        /// `ELOOP` where it is a link.
        package let reason: Errno
        package let path: String
    }

    /// The folder, which may itself be a link.
    package let root: String

    package init(root: String) { self.root = root }

    /// Whether `path` lies below the root, by its name.
    package func holds(_ path: String) -> Bool {
        path.utf8.count > root.utf8.count + 1 && path.utf8.starts(with: (root + "/").utf8)
    }

    /// The open folder that `path`, which lies below the root, is in, and its name there.
    package func parent(of path: String) throws(Obstacle) -> (folder: Descriptor, name: String) {
        // In bytes, as the kernel reads it: to Swift a slash with an accent on it is no slash.
        let names = path.utf8.dropFirst(root.utf8.count).split(separator: UInt8(ascii: "/"))
            .map { String(Substring($0)) }
        guard let name = names.last, !names.contains("..") else { throw Obstacle(reason: .invalid, path: path) }
        var reached = root
        var folder = try opened(reached) { () throws(Errno) in try Descriptor.open(root, O_RDONLY | O_DIRECTORY) }
        for name in names.dropLast() {
            reached += "/" + name
            folder = try opened(reached) { () throws(Errno) in try Self.folder(name, in: folder) }
        }
        return (folder, name)
    }

    private func opened(
        _ path: String, _ body: () throws(Errno) -> Descriptor
    ) throws(Obstacle) -> Descriptor {
        do throws(Errno) { return try body() } catch { throw Obstacle(reason: error, path: path) }
    }

    private static func folder(_ name: String, in parent: Descriptor) throws(Errno) -> Descriptor {
        do throws(Errno) {
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            return Descriptor(owning: try Errno.check { openat(parent.raw, name, flags) })
        } catch  where error == .notFolder {
            // The kernel says the same of a link as of a file.
            var status = stat()
            let isLink =
                fstatat(parent.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
            throw isLink ? Errno.crossesLinks : .notFolder
        }
    }
}
