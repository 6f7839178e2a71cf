import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import SynthSystem

/// Obsolete data in the user's cache and state folders: incomplete data left behind by killed processes, and data for
/// engines that are not installed.
struct CacheLeftovers {
    private let inventory: HostSnapshot

    init(_ inventory: HostSnapshot) { self.inventory = inventory }

    private var caches: CacheFolders { inventory.host.caches }

    /// The obsolete items, sorted by path.
    var candidates: [PruneCandidate] {
        (PluginKind.allCases.flatMap(prepared) + earlierVersions + logs + scans).sorted { $0.path < $1.path }
    }

    /// Removes the given items that are still obsolete.
    ///
    /// - Returns: the removed items and the first failure. A failure does not prevent the removal of the other items.
    func remove(_ wanted: [PruneCandidate]) -> (removed: [PruneCandidate], failure: FileFailure?) {
        guard !wanted.isEmpty else { return ([], nil) }
        let still = Set(candidates.map(\.path))
        var removed: [PruneCandidate] = []
        var failure: FileFailure?
        for candidate in wanted where still.contains(candidate.path) {
            var taken: UnfinishedFolder.Taken?
            if candidate.reason == .unfinishedPreparation {
                taken = UnfinishedFolder(path: candidate.path).takeOver()
                guard taken != nil else { continue }
            }
            do {
                _ = try withExtendedLifetime(taken) { () throws(Errno) in try FolderRemoval.remove(candidate.path) }
                removed.append(candidate)
            } catch {
                failure = failure ?? FileFailure(error, call: "unlink", path: candidate.path)
            }
        }
        return (removed, failure)
    }

    private func prepared(_ kind: PluginKind) -> [PruneCandidate] {
        let folder = caches.prepared(kind)
        return FolderListing.names(in: folder).flatMap { id -> [PruneCandidate] in
            let cache = "\(folder)/\(id)"
            guard isInstalled(id, kind) else { return [candidate(cache, .engineNotInstalled)] }
            return FolderListing.names(in: cache).map { UnfinishedFolder(path: "\(cache)/\($0)") }
                .filter(\.isAbandoned).map { candidate($0.path, .unfinishedPreparation) }
        }
    }

    /// Folders created by earlier versions, except those that will be moved when their engine loads a model.
    private var earlierVersions: [PruneCandidate] {
        caches.ofEarlierVersions.filter { id in
            !PluginKind.allCases.contains { kind in
                isInstalled(id, kind) && access(caches.prepared(kind, id), F_OK) != 0
            }
        }.map { candidate("\(caches.root)/\($0)", .earlierVersion) }
    }

    private var logs: [PruneCandidate] {
        let folder = inventory.host.workerProgram.logFolder
        let files = Set(
            inventory.host.pluginFolders.flatMap(PluginScan.files).map { $0.split(separator: "/").last ?? "" })
        return FolderListing.names(in: folder).filter { $0.hasSuffix(".so.log") && !files.contains($0.dropLast(4)) }
            .map { candidate("\(folder)/\($0)", .engineFileGone) }
    }

    private var scans: [PruneCandidate] {
        inventory.host.scan.recordsOfMissingFiles.map { candidate($0, .engineFileGone) }
    }

    /// Whether an engine or recognizer with this ID is installed, or a file that cannot be scanned may contain it.
    private func isInstalled(_ id: String, _ kind: PluginKind) -> Bool {
        inventory.plugins.contains { $0.failure != nil && $0.isNamed(after: id) }
            || (kind == .engine
                ? inventory.plugins.contains { $0.engine?.id == id }
                : inventory.recognizers.contains { $0.description?.id == id })
    }

    private func candidate(_ path: String, _ reason: PruneCandidate.Reason) -> PruneCandidate {
        var status = stat()
        let isFile = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        let size = isFile ? Int64(status.st_size) : FolderSize.bytes(below: path)
        return PruneCandidate(outside: path, size: size, reason)
    }
}

/// A folder in an engine's cache that a process uses to prepare data. The folder's name contains `.unfinished-` and the
/// process ID. Until the process ends, it holds a lock (`F_OFD_SETLK`) on a file named `lock` in the folder. The guide
/// engine-rules.md documents this rule.
struct UnfinishedFolder {
    let path: String

    private static let mark = ".unfinished-"
    /// F_OFD_SETLK, which Swift does not import.
    private static let setLock: Int32 = 37
    /// The age in seconds after which a folder is considered abandoned. It is longer than any preparation takes.
    private static let longestWork = 86_400

    private var lockPath: String { "\(path)/lock" }

    /// Whether the folder's process has ended. Briefly acquires the lock.
    var isAbandoned: Bool { isWithoutLock ? isAbandonedWithoutLock : locked() != nil }

    /// A folder that is safe to remove because its process has ended.
    struct Taken {
        /// The lock that excludes other processes; nil if the folder's permissions or a full disk prevent locking.
        let lock: Descriptor?
    }

    /// Locks the folder if its process has ended, creating the lock file if necessary. Returns nil if the process is
    /// running or its state cannot be determined.
    func takeOver() -> Taken? {
        guard !isWithoutLock || isAbandonedWithoutLock else { return nil }
        let lock = locked(O_CREAT)
        return lock != nil || isWithoutLock ? Taken(lock: lock) : nil
    }

    private var isWithoutLock: Bool { access(lockPath, F_OK) != 0 }

    private func locked(_ flags: Int32 = 0) -> Descriptor? {
        guard name.contains(Self.mark) else { return nil }
        guard let file = try? Descriptor.open(lockPath, O_RDWR | O_NOFOLLOW | O_NONBLOCK | flags, mode: 0o600) else {
            return nil
        }
        var range = flock()
        range.l_type = Int16(F_WRLCK)
        return fcntl(file.raw, Self.setLock, &range) == 0 ? file : nil
    }

    private var name: Substring { path.split(separator: "/").last ?? "" }

    /// Like `isAbandoned`, but for folders of earlier versions, which did not create lock files.
    private var isAbandonedWithoutLock: Bool {
        guard let mark = name.ranges(of: Self.mark).last,
            let process = pid_t(name[mark.upperBound...].prefix { $0 != "-" })
        else { return false }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        return time(nil) - status.st_mtim.tv_sec > Self.longestWork || kill(process, 0) != 0 && errno == ESRCH
    }
}
