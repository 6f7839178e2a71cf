import Glibc

/// A lock on the folder of an entry that is being made: the file `lock` in it, locked until this value or its process ends. It tells
/// the work of a living process from what a killed one left, also between processes that do not see each other.
///
/// The lock belongs to the open file, because a process may make several entries at once, and a lock of the process would go when
/// any of them looks at the others. `flock` is refused to confined processes.
final class EntryLock: Sendable {
    static let name = "lock"
    /// F_OFD_SETLK, which Swift does not import.
    private static let setLock: Int32 = 37
    /// In seconds. No entry takes as long.
    private static let longestWork = 86_400

    enum Claim {
        case taken(EntryLock)
        /// Another process took the folder for an abandoned one, and removes it.
        case lost
        /// The file system has no locks.
        case unavailable
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Locks a folder that was just made.
    static func claim(_ folder: String) -> Claim {
        let claim = lock(folder)
        switch claim {
        case .taken(let lock): return lock.isStill(in: folder) ? claim : .lost
        case .lost: return .lost
        case .unavailable:
            unlink("\(folder)/\(name)")
            return .unavailable
        }
    }

    /// Locks a folder whose process has ended; nil = it has not, or that cannot be told.
    static func takeOver(_ folder: String) -> EntryLock? {
        if access("\(folder)/\(name)", F_OK) != 0, !isAbandonedWithoutLock(folder) { return nil }
        if case .taken(let lock) = lock(folder) { return lock }
        return nil
    }

    private static func lock(_ folder: String) -> Claim {
        let descriptor = open(
            "\(folder)/\(name)", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return errno == ENOENT ? .lost : .unavailable }
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        if fcntl(descriptor, setLock, &range) == 0 { return .taken(EntryLock(descriptor)) }
        let code = errno
        close(descriptor)
        return code == EAGAIN || code == EACCES ? .lost : .unavailable
    }

    /// Whether the locked file is the one in the folder.
    private func isStill(in folder: String) -> Bool {
        var (own, found) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && lstat("\(folder)/\(Self.name)", &found) == 0
            && own.st_ino == found.st_ino && own.st_dev == found.st_dev
    }

    /// By the process id in its name, as earlier versions, which made no lock, left it.
    private static func isAbandonedWithoutLock(_ folder: String) -> Bool {
        guard let mark = folder.range(of: GraphCache.unfinished),
            let process = pid_t(folder[mark.upperBound...].prefix { $0 != "-" })
        else { return false }
        var status = stat()
        if lstat(folder, &status) == 0, time(nil) - status.st_mtim.tv_sec > longestWork { return true }
        if kill(process, 0) == 0 { return false }
        // A confined process may ask of no other one by a signal.
        return errno == ESRCH || access("/proc/self", F_OK) == 0 && access("/proc/\(process)", F_OK) != 0
    }
}

extension String {
    /// Of the last occurrence.
    fileprivate func range(of mark: String) -> Range<Index>? { ranges(of: mark).last }
}
