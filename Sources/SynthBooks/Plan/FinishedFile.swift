import Glibc
import SynthSystem

/// Functions for small files that are written atomically.
enum FinishedFile {
    static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            let file = try ReplacementFile(at: path)
            try file.file.writeAll(bytes)
            try file.publish()
        } catch {
            throw BookFailure.file(path: path, error)
        }
    }

    /// Blocks until a written file is on disk.
    static func sync(_ path: String) throws {
        guard RegularFile(path: path) != nil else { return }
        do throws(Errno) {
            for (path, flags) in [(path, O_RDONLY), (LinkTarget.folder(of: path), O_RDONLY | O_DIRECTORY)] {
                let file = try Descriptor.open(path, flags)
                // Other errors mean that the file system does not support fsync.
                if fsync(file.raw) != 0, [EIO, ENOSPC, EDQUOT].contains(errno) { throw .last }
            }
        } catch {
            throw BookFailure.file(path: path, error)
        }
    }

    /// The size of a regular file in bytes, or nil if there is none at this path.
    static func size(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    static func holdsSomething(_ path: String) -> Bool { size(path) ?? 0 > 0 }

    /// Whether the path exists, even as a broken symbolic link.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
