import CSynthLinux
import Glibc

/// The outcome of writing a replacement file.
package enum FileEnding: Sendable {
    /// The file is complete and replaces any existing file with the same name.
    case whole
    /// Writing was stopped early. The new file gets a different name, such as "speech (stopped).wav".
    case stopped
    /// Writing failed. Like `stopped`, but the new file is deleted if an older file with its name exists.
    case failed
}

/// A new file that gets its name only when it is complete. Until then, an existing file with that name stays unchanged.
/// All user files are written this way. If two processes write to the same name, the one that finishes last wins, but
/// each result is complete.
///
/// Before it is complete, the file has no name, so a killed process leaves nothing behind. On a file system that does
/// not support unnamed files, the file has a temporary name in the same folder, such as `.NAME.synthhost-0.part`, and
/// the process that writes it holds a lock on it. Unlocked leftover files are removed the next time a file with that
/// name is written.
package struct ReplacementFile: ~Copyable {
    /// The descriptor, open for writing.
    package let file: Descriptor
    private let path: String
    private let folder: String
    private let name: String
    /// The metadata of the existing file.
    private let old: stat?
    private let mask: UInt32
    private var temporary: String?

    /// The maximum number of simultaneous writes to the same name.
    private static let most = 64
    /// The number of temporary names to check for files left behind by killed processes. These are always the first
    /// names, because a new file gets the first unused name.
    private static let searched = 4

    /// Creates a file in the folder of `path`. When published, it gets the mode and, if permitted, the owner of the
    /// file that it replaces. If the path is a symbolic link, the link is preserved and its target is replaced. Other
    /// hard links to the old file keep the old content.
    ///
    /// - Parameters:
    ///   - path: the file's path; an existing file must be a regular file.
    ///   - mode: the mode of a new file, before the umask of this process.
    ///   - mask: the permission bits that are copied from an existing file.
    ///   - isNamed: whether to use a temporary name even if the file system supports unnamed files.
    /// - Throws: the error of the failed system call, such as `EACCES` or `EPERM` if the folder is not writable or the
    ///   existing file may not be replaced.
    package init(
        at path: String, mode: UInt32 = 0o666, mask: UInt32 = 0o777, isNamed: Bool = false
    ) throws(Errno) {
        try Errno.checkName(path)
        let path = LinkTarget.of(path) ?? path
        guard let name = path.split(separator: "/").last.map(String.init), path.last != "/" else {
            throw path.isEmpty ? .notFound : .isFolder
        }
        let folder = LinkTarget.folder(of: path)
        let old = try Self.status(of: path)
        if let old {
            // Check the permission to write to the file that would be replaced.
            _ = try Descriptor.open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK)
            if Self.keepsFiles(of: old.st_uid, folder) || linux_is_mount(path) { throw .notPermitted }
        }
        // The replacement of a private file must not be readable by other users, even temporarily.
        let made = try Self.create(in: folder, name, old == nil ? mode : 0o600, isNamed)
        (self.path, self.folder, self.name, self.old, self.mask) = (path, folder, name, old, mask)
        (file, temporary) = made
    }

    deinit { if let temporary { unlink(temporary) } }

    /// Gives the file its final name or, if writing was not completed, an unused name. After an error, an existing file
    /// with that name is unchanged.
    ///
    /// - Parameters:
    ///   - syncs: whether to wait until the file is on the disk; nil to wait only if it replaces a non-empty file. This
    ///     is the default because losing the old file in a power failure would be worse than losing the new one.
    ///   - replaces: false to keep any existing file with that name.
    /// - Returns: the path, or nil if the file was deleted in favor of the existing file.
    /// - Throws: `EEXIST` if the file is complete but its name is taken and may not be replaced; otherwise the error of
    ///   the failed system call, such as `ENOSPC`.
    @discardableResult
    package consuming func publish(
        _ ending: FileEnding = .whole, syncs: Bool? = nil, replaces: Bool = true
    ) throws(Errno) -> String? {
        if ending == .failed, Self.holdsSomething(path) { return nil }
        try settle(syncs: syncs ?? (ending == .whole && Self.holdsSomething(path)))
        if let old {
            _ = fchown(file.raw, old.st_uid, old.st_gid)
            _ = fchmod(file.raw, old.st_mode & mask)
        }
        if ending == .whole {
            if replaces { try replace() } else { try take(path) }
            return path
        }
        return try takeFreeName()
    }

    /// Forces the file system to report pending write errors.
    private func settle(syncs: Bool) throws(Errno) {
        if syncs {
            do { try Errno.check { fsync(file.raw) } } catch {
                // Other errors mean that the file system does not support syncing, not that data was lost.
                if [EIO, ENOSPC, EDQUOT].contains(error.code) { throw error }
            }
        }
        // Network file systems report write errors when a descriptor is closed.
        let copy = fcntl(file.raw, F_DUPFD_CLOEXEC, 0)
        if copy >= 0, close(copy) != 0, errno != EINTR { throw .last }
    }

    private mutating func replace() throws(Errno) {
        if temporary == nil {
            do {
                return try take(path)
            } catch {
                guard error == .exists else { throw error }
            }
            for number in 0..<Self.most {
                let path = Self.temporary(number, in: folder, name)
                do {
                    try take(path)
                    temporary = path
                    break
                } catch {
                    guard error == .exists, number < Self.most - 1 else { throw error }
                }
            }
        }
        if let temporary { try Errno.check { rename(temporary, path) } }
        temporary = nil
    }

    /// Gives the file an unused name: "speech (stopped).wav" next to "speech.wav".
    private mutating func takeFreeName() throws(Errno) -> String {
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        for number in 1... {
            let mark = number == 1 ? " (stopped)" : " (stopped \(number))"
            // File names are limited to 255 bytes.
            let room = max(1, 255 - mark.utf8.count - name[dot...].utf8.count)
            let path = folder.child(Self.cut(name[..<dot], to: room) + mark + name[dot...])
            do {
                try take(path)
                return path
            } catch {
                guard error == .exists, number < 10_000 else { throw error }
            }
        }
        throw .exists
    }

    /// Gives the file this name, unless it is taken.
    private mutating func take(_ path: String) throws(Errno) {
        let source = temporary ?? Self.link(file.raw)
        do {
            try Errno.check { linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) }
        } catch {
            guard let temporary, [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) else { throw error }
            // The file system has no hard links.
            if access(path, F_OK) == 0 { throw .exists }
            try Errno.check { rename(temporary, path) }
        }
        if let temporary { unlink(temporary) }
        temporary = nil
    }

    /// Returns nil if the path does not exist.
    private static func status(of path: String) throws(Errno) -> stat? {
        var status = stat()
        do {
            try Errno.check { stat(path, &status) }
            return status
        } catch {
            guard error == .notFound else { throw error }
            return nil
        }
    }

    private static func holdsSomething(_ path: String) -> Bool {
        ((try? status(of: path))?.st_size ?? 0) > 0
    }

    /// Whether this user may write to another user's file in this folder but may not replace it, as in /tmp (sticky
    /// bit).
    private static func keepsFiles(of owner: uid_t, _ folder: String) -> Bool {
        let user = geteuid()
        var status = stat()
        return user != 0 && user != owner && stat(folder, &status) == 0 && status.st_mode & S_ISVTX != 0
            && status.st_uid != user
    }

    // MARK: - Names

    private static func create(
        in folder: String, _ name: String, _ mode: UInt32, _ isNamed: Bool
    ) throws(Errno) -> (Descriptor, String?) {
        for number in 0..<searched { removeLeftover(temporary(number, in: folder, name)) }
        do throws(Errno) {
            if isNamed { throw .notSupported }
            let file = Descriptor(owning: try Errno.check { linux_open_unnamed(folder, mode) })
            // Linking an unnamed file requires /proc.
            if access(link(file.raw), F_OK) == 0 {
                // The lock marks the temporary file as in use.
                flock(file.raw, LOCK_EX | LOCK_NB)
                return (file, nil)
            }
        } catch {
            guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(error.code) else { throw error }
        }
        for number in 0..<most {
            let path = temporary(number, in: folder, name)
            do {
                let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
                while flock(file.raw, LOCK_EX) != 0, errno == EINTR {}
                // If this check fails, another process mistook the file for a leftover and removed it before it was
                // locked.
                if isStill(file, path) { return (file, path) }
            } catch {
                guard error == .exists else { throw error }
            }
        }
        throw .exists
    }

    /// Removes a file left behind by a killed process: an unlocked file with a name that only this program uses. Does
    /// nothing if locks are unavailable.
    private static func removeLeftover(_ path: String) {
        guard let file = try? Descriptor.open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY),
            RegularFile(descriptor: file.raw) != nil, flock(file.raw, LOCK_EX | LOCK_NB) == 0, isStill(file, path)
        else { return }
        unlink(path)
    }

    private static func isStill(_ file: Descriptor, _ path: String) -> Bool {
        RegularFile(path: path) == RegularFile(descriptor: file.raw)
    }

    private static func link(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    private static func temporary(_ number: Int, in folder: String, _ name: String) -> String {
        folder.child(".\(cut(name[...], to: 200)).synthhost-\(number).part")
    }

    /// Returns the longest prefix that fits into `limit` bytes without splitting a character.
    private static func cut(_ text: Substring, to limit: Int) -> Substring {
        var text = text
        while text.utf8.count > limit { text.removeLast() }
        return text
    }
}

/// Replaces one of this program's own files, such as a cache file, without syncing it to disk.
package func replaceFile(_ path: String, with bytes: [UInt8]) throws(Errno) {
    let file = try ReplacementFile(at: path, mode: 0o644)
    try file.file.writeAll(bytes)
    try file.publish(syncs: false)
}
