import Glibc

/// Measures a folder that another process may have filled, at any depth and even with unusual names. Never follows
/// links.
package enum FolderSize {
    /// Returns the total size of all regular files below a folder, in bytes. Unreadable entries are not counted.
    package static func bytes(below path: String) -> Int64 {
        guard var folder = try? Descriptor.open(path, O_RDONLY | O_DIRECTORY), let first = Level(folder) else {
            return 0
        }
        var sum = first.bytes
        // The open folder and its ancestors, each with the subfolders still to be counted. Only one folder is open at a
        // time, because there may be more levels than available descriptors.
        var levels = [first]
        while let last = levels.indices.last {
            if let name = levels[last].folders.popLast() {
                guard let inner = open(name, in: folder), let level = Level(inner) else { continue }
                sum += level.bytes
                levels.append(level)
                folder = inner
            } else {
                levels.removeLast()
                // If another process has moved the folder, `..` is a different parent, which is unlikely to contain the
                // remaining names.
                guard !levels.isEmpty, let outer = open(Array("..".utf8CString), in: folder) else { break }
                folder = outer
            }
        }
        return sum
    }

    private struct Level {
        var bytes: Int64 = 0
        var folders: [[CChar]] = []

        /// Returns nil if the folder cannot be read.
        init?(_ folder: Descriptor) {
            guard let names: [[CChar]] = try? FolderListing.read(folder) else { return nil }
            for name in names {
                var status = stat()
                guard fstatat(folder.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFREG: bytes += Int64(status.st_size)
                case S_IFDIR: folders.append(name)
                default: continue
                }
            }
        }
    }

    private static func open(_ name: [CChar], in folder: Descriptor) -> Descriptor? {
        let descriptor = openat(folder.raw, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        return descriptor < 0 ? nil : Descriptor(owning: descriptor)
    }
}
