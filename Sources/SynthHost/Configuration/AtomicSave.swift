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
        let target = try Self.followLinks(path)
        let folderPath = Self.folder(of: target)
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
    /// its owner. Temporary files of killed processes are removed.
    func replace(with text: String) throws(ConfigurationError) {
        let name = String(target.split(separator: "/").last ?? "config.json")
        Leftovers.remove(in: Self.folder(of: target), prefix: ".\(name).")
        let temporary = ".\(name).\(getpid()).\(UInt32.random(in: 0 ... .max))"
        let descriptor = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        let code = fill(descriptor, with: text, name: name)
        let closing = close(descriptor) == 0 ? 0 : errno
        guard code == 0, closing == 0, renameat(folder, temporary, folder, name) == 0 else {
            let reason = code != 0 ? code : closing != 0 ? closing : errno
            unlinkat(folder, temporary, 0)
            throw Self.failure(path, reason)
        }
        fsync(folder)
    }

    private func fill(_ descriptor: Int32, with text: String, name: String) -> Int32 {
        var status = stat()
        if fstatat(folder, name, &status, 0) == 0 {
            _ = fchown(descriptor, status.st_uid, status.st_gid)
            guard fchmod(descriptor, status.st_mode & 0o777) == 0 else { return errno }
        }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return errno }
            rest = rest.dropFirst(count)
        }
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// The file at the end of a chain of links. It need not exist, so `realpath(3)` cannot be used.
    private static func followLinks(_ path: String) throws(ConfigurationError) -> String {
        var current = path
        for _ in 0..<40 {
            var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(current, &buffer, buffer.count)
            if count < 0 { return current }
            let link = String(decoding: buffer[..<count], as: UTF8.self)
            current = link.hasPrefix("/") ? link : folder(of: current) + "/" + link
        }
        throw failure(path, ELOOP)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func makeFolder(_ folderPath: String, for path: String) throws(ConfigurationError) {
        if mkdir(folderPath, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, folderPath != folder(of: folderPath) else { throw failure(path, errno) }
        try makeFolder(folder(of: folderPath), for: path)
        guard mkdir(folderPath, 0o700) == 0 || errno == EEXIST else { throw failure(path, errno) }
    }

    private static func failure(_ path: String, _ code: Int32) -> ConfigurationError {
        .unwritable(file: path, code: code)
    }
}
