package import EngineWire
import Glibc
import LinuxSystem

/// A file that is checked before it is loaded: `dlopen` of a damaged one kills the process, and of a FIFO never returns.
package struct TrustedFile {
    /// Absolute and without links, so that a library that lies beside it is found.
    package let path: String
    private let status: stat

    package init(path: String) throws(Refusal) {
        guard let resolved = realpath(path, nil) else {
            throw Refusal(.notLoadable, "cannot be opened: \(Errno.last)")
        }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        var status = stat()
        guard lstat(resolved, &status) == 0 else {
            throw Refusal(.notLoadable, "cannot be opened: \(Errno.last)")
        }
        self.status = status
        guard status.st_mode & S_IFMT == S_IFREG else { throw Refusal(.notLoadable, "is not a regular file") }
    }

    /// An engine runs with the rights of the user, so nobody else may have written it.
    package func checkTrust() throws(Refusal) {
        try Self.checkTrust(in: status, of: "", at: path)
        var folder = path[...]
        while let slash = folder.lastIndex(of: "/"), folder != "/" {
            folder = slash == folder.startIndex ? "/" : folder[..<slash]
            var status = stat()
            guard lstat(String(folder), &status) == 0 else { continue }
            try Self.checkTrust(in: status, of: "is in the folder \(folder), which ", at: String(folder))
        }
    }

    private static func checkTrust(in status: stat, of subject: String, at path: String) throws(Refusal) {
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw Refusal(
                .untrusted,
                "\(subject)belongs to another user",
                remedy: "If you trust it, type: sudo chown root '\(path)'")
        }
        let isStickyFolder = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        if status.st_mode & S_IWOTH != 0, !isStickyFolder {
            throw Refusal(.untrusted, "\(subject)may be written by everybody", remedy: "Type: chmod o-w '\(path)'")
        }
        if status.st_mode & S_IWGRP != 0, !isStickyFolder, !isOwnGroup(status) {
            throw Refusal(.untrusted, "\(subject)may be written by a group", remedy: "Type: chmod g-w '\(path)'")
        }
    }

    /// Distributions give each user a group of their own; that it may write says nothing.
    private static func isOwnGroup(_ status: stat) -> Bool {
        guard let owner = getpwuid(status.st_uid) else { return false }
        return owner.pointee.pw_gid == status.st_gid
    }

    /// Throws where `dlopen` would crash or never return.
    package func checkFormat() throws(Refusal) {
        let file: Descriptor
        do {
            file = try Descriptor.open(path, O_RDONLY)
        } catch {
            throw Refusal(.notLoadable, "cannot be read: \(error)")
        }
        try Elf(file, size: UInt64(status.st_size)).checkWholeness()
    }
}
