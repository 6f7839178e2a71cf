import Glibc

/// Removes folders that another process may have filled, at any depth and even with missing permissions or unusual
/// names. Never follows a link, even if the other process is still changing the folders.
package enum FolderRemoval {
    /// - Throws: the first error that prevents a removal.
    /// - Returns: the total size of the removed regular files in bytes.
    @discardableResult
    package static func remove(_ path: String) throws(Errno) -> Int64 {
        let parent = try Descriptor.open(LinkTarget.folder(of: path), O_RDONLY | O_DIRECTORY)
        // Split the path by bytes, as the kernel does, because Swift treats a slash with a combining accent as a
        // different character.
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        var removal = Removal(parent: parent, prefix: Array(".".utf8) + name.prefix(200) + Array(".\(getpid())-".utf8))
        try removal.remove((name + [0]).map { CChar(bitPattern: $0) })
        return removal.bytes
    }

    private struct Removal {
        /// The folder that contains the entry to remove. Nested folders are moved into this folder first, so that no
        /// path becomes too long.
        let parent: Descriptor
        /// The prefix for the names of moved folders. It is short enough that the prefix and a number together never
        /// exceed 255 bytes.
        let prefix: [UInt8]
        var bytes: Int64 = 0
        var moved = 0

        mutating func remove(_ name: [CChar]) throws(Errno) {
            var waiting = [name]
            while let next = waiting.popLast() {
                do throws(Errno) {
                    let folder = try Self.folder(next, in: parent)
                    for entry in try FolderListing.read(folder) {
                        if let moved = try empty(folder, of: entry) { waiting.append(moved) }
                    }
                    try Self.unlink(next, in: parent, AT_REMOVEDIR)
                } catch  where error == .notFolder || error == .crossesLinks {
                    try Self.unlink(next, in: parent, 0)
                } catch  where error == .notFound {
                    continue
                }
            }
        }

        /// Removes an entry of a folder. A nonempty subfolder is moved to `parent` instead, and its new name is
        /// returned.
        private mutating func empty(_ folder: Descriptor, of entry: [CChar]) throws(Errno) -> [CChar]? {
            var status = stat()
            guard fstatat(folder.raw, entry, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                try Self.unlink(entry, in: folder, 0)
                if status.st_mode & S_IFMT == S_IFREG { bytes += Int64(status.st_size) }
                return nil
            }
            if unlinkat(folder.raw, entry, AT_REMOVEDIR) == 0 { return nil }
            while true {
                moved += 1
                let name = (prefix + Array("\(moved)".utf8) + [0]).map { CChar(bitPattern: $0) }
                if renameat(folder.raw, entry, parent.raw, name) == 0 { return name }
                switch errno {
                // The name is taken: another thread is removing the same folder.
                case ENOTEMPTY, EEXIST: continue
                case ENOENT: return nil
                // Moving a folder also changes its `..` entry, which requires write permission on the folder.
                case EACCES: try Self.open(entry, in: folder)
                default: throw .last
                }
                guard renameat(folder.raw, entry, parent.raw, name) == 0 else { throw .last }
                return name
            }
        }

        private static func unlink(_ name: [CChar], in folder: Descriptor, _ flags: Int32) throws(Errno) {
            if unlinkat(folder.raw, name, flags) != 0, errno != ENOENT { throw .last }
        }

        private static func folder(_ name: [CChar], in parent: Descriptor) throws(Errno) -> Descriptor {
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            for isFirst in [true, false] {
                let descriptor = openat(parent.raw, name, flags)
                if descriptor >= 0 {
                    let folder = Descriptor(owning: descriptor)
                    // A folder's entries can be removed only if it is writable.
                    fchmod(folder.raw, 0o700)
                    return folder
                }
                guard isFirst, errno == EACCES else { throw .last }
                try open(name, in: parent)
            }
            throw .last
        }

        /// O_PATH, which Swift does not import.
        private static let pathOnly: Int32 = 0o10000000

        /// Grants the owner all permissions on a folder.
        private static func open(_ name: [CChar], in parent: Descriptor) throws(Errno) {
            let flags = pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            let folder = Descriptor(owning: try Errno.check { openat(parent.raw, name, flags) })
            try Errno.check { chmod("/proc/self/fd/\(folder.raw)", 0o700) }
        }
    }
}
