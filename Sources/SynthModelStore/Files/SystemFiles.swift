import CSynthLinux
import Glibc
package import SynthSystem

/// Operations on this machine's file system.
package struct SystemFiles: StoreFiles {
    private let tree: FolderTree?

    /// - Parameter root: a folder below which changes do not follow links. The root itself may be a link.
    package init(root: String? = nil) { tree = root.map(FolderTree.init) }

    /// Opens a file without blocking on a named pipe. Fails with `ENXIO` unless the path is a regular file or, for
    /// `.syncing`, a folder.
    package func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> Int32 {
        let flags = purpose.flags
        let descriptor =
            purpose.changes
            ? try changed("open", path) { openat($0, $1, flags, 0o644) }
            : try checked("open", path, Glibc.open(path, flags))
        var status = stat()
        do {
            _ = try checked("fstat", path, fstat(descriptor, &status))
        } catch {
            close(descriptor)
            throw error
        }
        guard status.st_mode & S_IFMT == (purpose == .syncing ? S_IFDIR : S_IFREG) else {
            close(descriptor)
            throw FileFailure(.notOrdinaryFile, call: "open", path: path)
        }
        return descriptor
    }

    package func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    package func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, of path: String
    ) throws(FileFailure) -> Int {
        try checked("read", path, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }

    package func write(
        _ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, of path: String
    ) throws(FileFailure) -> Int {
        try checked("write", path, Glibc.write(descriptor, buffer.baseAddress, buffer.count))
    }

    package func truncate(_ descriptor: Int32, of path: String) throws(FileFailure) {
        _ = try checked("ftruncate", path, ftruncate(descriptor, 0))
    }

    package func sync(_ descriptor: Int32, of path: String) throws(FileFailure) {
        _ = try checked("fsync", path, fsync(descriptor))
    }

    package func lock(_ descriptor: Int32, waiting: Bool, of path: String) throws(FileFailure) -> Bool {
        do {
            _ = try checked("flock", path, flock(descriptor, LOCK_EX | (waiting ? 0 : LOCK_NB)))
            return true
        } catch  where error.reason == .wouldBlock {
            return false
        }
    }

    package func unlock(_ descriptor: Int32) { flock(descriptor, LOCK_UN) }

    package func rename(_ path: String, to other: String) throws(FileFailure) {
        _ = try changed("rename", path) { parent, name throws(FileFailure) in
            try changed("rename", other) { renameat(parent, name, $0, $1) }
        }
    }

    package func removeFile(_ path: String) throws(FileFailure) {
        _ = try changed("unlink", path) { unlinkat($0, $1, 0) }
    }

    package func removeFolder(_ path: String) throws(FileFailure) {
        _ = try changed("rmdir", path) { unlinkat($0, $1, AT_REMOVEDIR) }
    }

    package func makeFolder(_ path: String) throws(FileFailure) {
        _ = try changed("mkdir", path) { mkdirat($0, $1, 0o755) }
    }

    package func names(in folder: String) throws(FileFailure) -> [String] {
        do {
            return try FolderListing.read(folder)
        } catch {
            throw FileFailure(error, call: "opendir", path: folder)
        }
    }

    package func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus {
        var status = stat()
        _ = try checked("stat", path, fstatat(AT_FDCWD, path, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW))
        let kind: FileStatus.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        return FileStatus(
            kind: kind, size: Int64(status.st_size), modified: Int64(status.st_mtim.tv_sec))
    }

    package func freeBytes(at path: String) throws(FileFailure) -> Int64 {
        var system = statvfs()
        _ = try checked("statvfs", path, statvfs(path, &system))
        return Int64(
            clamping: UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).partialValue)
    }

    package func touch(_ path: String) throws(FileFailure) {
        _ = try changed("utimensat", path) { utimensat($0, $1, nil, AT_SYMLINK_NOFOLLOW) }
    }

    /// Makes a system call that changes `path`. The body receives a descriptor of the parent folder, and the entry's
    /// name in it.
    private func changed<Result: SignedInteger>(
        _ call: String, _ path: String, _ body: (Int32, String) throws(FileFailure) -> Result
    ) throws(FileFailure) -> Result {
        guard let tree, tree.holds(path) else { return try checked(call, path, try body(AT_FDCWD, path)) }
        let location = try tree.parent(of: path, for: call)
        return try withExtendedLifetime(location.folder) { () throws(FileFailure) in
            try checked(call, path, try body(location.folder.raw, location.name))
        }
    }

    private func checked<Result: SignedInteger>(
        _ call: String, _ path: String, _ result: @autoclosure () throws(FileFailure) -> Result
    ) throws(FileFailure) -> Result {
        let result = try result()
        if result == -1 { throw FileFailure(.last, call: call, path: path) }
        return result
    }
}
