import CLinux
import Glibc

/// The files of this machine.
package struct SystemFiles: StoreFiles {
    package init() {}

    package func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> Int32 {
        try checked("open", path, Glibc.open(path, purpose.flags, 0o644))
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
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    package func rename(_ path: String, to other: String) throws(FileFailure) {
        _ = try checked("rename", other, Glibc.rename(path, other))
    }

    package func removeFile(_ path: String) throws(FileFailure) { _ = try checked("unlink", path, unlink(path)) }

    package func removeFolder(_ path: String) throws(FileFailure) { _ = try checked("rmdir", path, rmdir(path)) }

    package func makeFolder(_ path: String) throws(FileFailure) { _ = try checked("mkdir", path, mkdir(path, 0o755)) }

    package func names(in folder: String) throws(FileFailure) -> [String] {
        guard let stream = opendir(folder) else { throw FileFailure(code: errno, call: "opendir", path: folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw FileFailure(code: errno, call: "readdir", path: folder) }
                return names
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }

    package func status(of path: String) throws(FileFailure) -> FileStatus {
        var status = stat()
        _ = try checked("lstat", path, lstat(path, &status))
        let kind: FileStatus.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
        return FileStatus(
            kind: kind, size: Int64(status.st_size), sizeOnDisk: Int64(status.st_blocks) * 512,
            modified: Int64(status.st_mtim.tv_sec))
    }

    package func freeBytes(at path: String) throws(FileFailure) -> Int64 {
        var system = statvfs()
        _ = try checked("statvfs", path, statvfs(path, &system))
        return Int64(
            clamping: UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).partialValue)
    }

    package func touch(_ path: String) throws(FileFailure) {
        _ = try checked("utimensat", path, utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW))
    }

    private func checked<Result: SignedInteger>(
        _ call: String, _ path: String, _ result: @autoclosure () -> Result
    ) throws(FileFailure) -> Result {
        let result = result()
        if result == -1 { throw FileFailure(code: errno, call: call, path: path) }
        return result
    }
}
