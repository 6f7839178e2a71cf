import Glibc

/// A lock on an entry's folder while the entry is being built. It is held on the file `lock` in the folder until this
/// object is deallocated or the process exits. It distinguishes folders in use by running processes from folders left
/// behind by killed ones, even if the processes cannot see each other.
///
/// The lock belongs to the open file because a process may build several entries at the same time, and would lose a
/// process-owned lock as soon as it checked the lock files for abandoned entries. `flock` is not an option because
/// confined processes may not call it.
final class EntryLock: Sendable {
    static let name = "lock"
    /// The value of F_OFD_SETLK, which Swift does not import.
    private static let setLock: Int32 = 37
    /// The maximum time needed to build an entry, in seconds. It is deliberately generous.
    private static let longestWork = 86_400

    enum Claim {
        case taken(EntryLock)
        /// Another process considers the folder abandoned and is removing it.
        case lost
        /// The file system does not support locks.
        case unavailable
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Locks a newly created folder.
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

    /// Locks a folder whose process has exited. Returns `nil` if the process is still running or its state is unknown.
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

    /// Whether the locked file is still the lock file in `folder`.
    private func isStill(in folder: String) -> Bool {
        var (own, found) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && lstat("\(folder)/\(Self.name)", &found) == 0
            && own.st_ino == found.st_ino && own.st_dev == found.st_dev
    }

    /// Whether the process whose ID is in the folder's name has exited. This is for folders from earlier versions,
    /// which have no lock file.
    private static func isAbandonedWithoutLock(_ folder: String) -> Bool {
        guard let mark = folder.range(of: GraphCache.unfinished),
            let process = pid_t(folder[mark.upperBound...].prefix { $0 != "-" })
        else { return false }
        var status = stat()
        if lstat(folder, &status) == 0, time(nil) - status.st_mtim.tv_sec > longestWork { return true }
        if kill(process, 0) == 0 { return false }
        // A confined process cannot send signals to other processes.
        return errno == ESRCH || access("/proc/self", F_OK) == 0 && access("/proc/\(process)", F_OK) != 0
    }
}

extension String {
    fileprivate func range(of mark: String) -> Range<Index>? { ranges(of: mark).last }
}
