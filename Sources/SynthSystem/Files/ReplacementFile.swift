import CSynthLinux
import Glibc

/// How a file ends that is written beside its name.
package enum FileEnding: Sendable {
    /// All of it came: it takes the place of what has its name.
    case whole
    /// It was ended early. What has its name stays, unless that is empty, and this one gets a free name beside it.
    case stopped
    /// Writing it failed. What has its name stays, unless that is empty, and this one goes.
    case failed
}

/// A new file that gets its name when it is complete: the one way in which a user's file is written. Until then a file
/// of that name stays as it was. Of two that are written at once, the one that ends last has the name, and each is whole.
///
/// It has no name before, so that a process that is killed leaves nothing. On a file system without nameless files it has
/// one of its own in the same folder: `.NAME.synthhost-0.part`, or another number. It holds a lock as long as its process
/// lives; one that nobody holds is removed when a file of that name is written again.
package struct ReplacementFile: ~Copyable {
    /// Open for writing.
    package let file: Descriptor
    private let path: String
    private let folder: String
    private let name: String
    /// Of the file that was there.
    private let old: stat?
    private let mask: UInt32
    /// The path that it has meanwhile.
    private var temporary: String?

    /// The most that may be written at once under one name in one folder.
    private static let most = 64
    /// How many names are looked at for what a killed process left. The lowest one that is free is used.
    private static let searched = 4

    /// A file in the folder of `path`. It gets the mode of a file that is there, and, if permitted, its owner. A link
    /// stays a link: what it leads to is replaced. Other names of that file keep what it held.
    ///
    /// - Parameters:
    ///   - path: a file that is there must be a regular one.
    ///   - mode: of a new file, less the mask of this process.
    ///   - mask: what it may have of the mode of a file that is there.
    ///   - isNamed: as on a file system without nameless files.
    /// - Throws: `EPERM` or `EACCES` if the folder takes no new file, or the file that is there may not be replaced.
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
            // The permission to write what would be replaced.
            _ = try Descriptor.open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK)
            if Self.keepsFiles(of: old.st_uid, folder) || linux_is_mount(path) { throw .notPermitted }
        }
        // Nobody else may read what comes in place of a file that only its owner may read.
        let made = try Self.create(in: folder, name, old == nil ? mode : 0o600, isNamed)
        (self.path, self.folder, self.name, self.old, self.mask) = (path, folder, name, old, mask)
        (file, temporary) = made
    }

    deinit { if let temporary { unlink(temporary) } }

    /// Gives it its name, or another one. After an error the file that had the name stays as it was.
    ///
    /// - Parameters:
    ///   - syncs: whether to wait until it is on the disk; nil = if it replaces what is not empty. Of two files
    ///     that may be lost with the power, the older one would be missed.
    ///   - replaces: false = whatever has the name stays.
    /// - Returns: its path; nil = it is gone, because what has the name stays.
    /// - Throws: `EEXIST` if it is whole, and something that is not replaced has the name.
    @discardableResult
    package consuming func publish(
        _ ending: FileEnding = .whole, syncs: Bool? = nil, replaces: Bool = true
    ) throws(Errno) -> String? {
        let staysThere = ending != .whole && Self.holdsSomething(path)
        if staysThere, ending == .failed { return nil }
        try settle(syncs: syncs ?? (ending == .whole && Self.holdsSomething(path)))
        if let old {
            _ = fchown(file.raw, old.st_uid, old.st_gid)
            _ = fchmod(file.raw, old.st_mode & mask)
        }
        if ending == .whole {
            if replaces { try replace() } else { try take(path) }
            return path
        }
        if !staysThere {
            do {
                if replaces, access(path, F_OK) == 0 { try replace() } else { try take(path) }
                return path
            } catch {
                // Another process was quicker.
                guard error == .exists else { throw error }
                if ending == .failed { return nil }
            }
        }
        return try takeFreeName()
    }

    /// Has the file system say now what it could not write.
    private func settle(syncs: Bool) throws(Errno) {
        if syncs {
            do { try Errno.check { fsync(file.raw) } } catch {
                // Other codes say that the file system cannot sync, not that data was lost.
                if [EIO, ENOSPC, EDQUOT].contains(error.code) { throw error }
            }
        }
        // Over a network it says so when a descriptor is closed.
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

    /// Gives it a name that no file has: "speech (stopped).wav" beside "speech.wav".
    private mutating func takeFreeName() throws(Errno) -> String {
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        for number in 1... {
            let mark = number == 1 ? " (stopped)" : " (stopped \(number))"
            // 255 bytes are the longest name.
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

    /// Gives it a name that no file has.
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

    /// nil = nothing is there.
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

    /// Whether a folder such as /tmp lets this user write a file of somebody else, but not replace it.
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
            // Without /proc it would never get a name.
            if access(link(file.raw), F_OK) == 0 {
                // For the moment in which it has another name.
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
                // Else somebody took it for left over before it was locked.
                if isStill(file, path) { return (file, path) }
            } catch {
                guard error == .exists else { throw error }
            }
        }
        throw .exists
    }

    /// Removes a file that a killed process left: it has a name that only this program gives, and nobody locks it. Where
    /// a lock cannot be had, it stays.
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

    /// The first characters, at most so many bytes.
    private static func cut(_ text: Substring, to limit: Int) -> Substring {
        var text = text
        while text.utf8.count > limit { text.removeLast() }
        return text
    }
}

/// Replaces a file of this program's own, such as one of a cache, without waiting for the disk.
package func replaceFile(_ path: String, with bytes: [UInt8]) throws(Errno) {
    let file = try ReplacementFile(at: path, mode: 0o644)
    try file.file.writeAll(bytes)
    try file.publish(syncs: false)
}
