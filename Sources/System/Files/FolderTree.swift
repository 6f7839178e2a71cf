import Glibc

/// The entries below a folder, reached without following a link. Each folder on the way is opened from the one above
/// it. If one of them is replaced by a link at any time, the result is an error and never the files that the link
/// points to.
package struct FolderTree: Sendable {
    /// Why a folder could not be opened.
    package struct Obstacle: Error {
        /// `ELOOP` if it is a link.
        package let reason: Errno
        package let path: String
    }

    /// The folder, which may itself be a link.
    package let root: String

    package init(root: String) { self.root = root }

    /// Whether `path` is below the root, judged by its text.
    package func holds(_ path: String) -> Bool {
        path.utf8.count > root.utf8.count + 1 && path.utf8.starts(with: (root + "/").utf8)
    }

    /// The open folder that contains `path`, which is below the root, and the name in that folder.
    package func parent(of path: String) throws(Obstacle) -> (folder: Descriptor, name: String) {
        // In bytes, as the kernel reads it: for Swift a slash with an accent is another character.
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
            // The kernel reports the same error for a link and for a file.
            var status = stat()
            let isLink =
                fstatat(parent.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
            throw isLink ? Errno.crossesLinks : .notFolder
        }
    }
}
