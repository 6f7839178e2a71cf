import Glibc
import System

/// Replaces a small file so that readers, also after a crash, see either the old or the new text, never a part.
///
/// It locks the folder from its initializer to its end, so that two programs that read, change and save do not lose
/// each other's changes. The initializer blocks while another program has the lock.
struct AtomicSave: ~Copyable {
    private let path: String
    private let target: String
    private let folder: Int32

    /// Makes the folder of the file if it is missing.
    ///
    /// - Parameter path: if it is a symbolic link, its target is replaced and the link stays.
    init(path: String) throws(ConfigurationError) {
        let target = LinkTarget.of(path) ?? path
        let folderPath = LinkTarget.folder(of: target)
        try Self.makeFolder(folderPath, for: path)
        let descriptor = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        self.path = path
        self.target = target
        folder = descriptor
        while flock(descriptor, LOCK_EX) != 0 {
            // A file system may have no locks. The replacement is still atomic.
            guard errno == EINTR else { break }
        }
    }

    deinit {
        close(folder)
    }

    /// Writes, syncs and renames. Only the owner can read a new file. An existing one keeps its mode and, if permitted,
    /// its owner.
    func replace(with text: String) throws(ConfigurationError) {
        do throws(Errno) {
            let new = try ReplacementFile(at: target, mode: 0o600)
            try new.file.writeAll(Array(text.utf8))
            try new.publish(syncs: true)
        } catch {
            throw Self.failure(path, error.code)
        }
        fsync(folder)
    }

    private static func makeFolder(_ folderPath: String, for path: String) throws(ConfigurationError) {
        if mkdir(folderPath, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, folderPath != LinkTarget.folder(of: folderPath) else { throw failure(path, errno) }
        try makeFolder(LinkTarget.folder(of: folderPath), for: path)
        guard mkdir(folderPath, 0o700) == 0 || errno == EEXIST else { throw failure(path, errno) }
    }

    private static func failure(_ path: String, _ code: Int32) -> ConfigurationError {
        .unwritable(file: path, code: code)
    }
}
