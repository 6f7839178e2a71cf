import Glibc

/// Lists the contents of folders.
package enum FolderListing {
    /// Returns the names in a folder, in no particular order, without `.` and `..`; empty if the folder cannot be read.
    package static func names(in folder: String) -> [String] { (try? read(folder)) ?? [] }

    /// Returns the names in a folder, in no particular order, without `.` and `..`.
    package static func read(_ folder: String) throws(Errno) -> [String] {
        try Errno.checkName(folder)
        guard let stream = opendir(folder) else { throw .last }
        defer { closedir(stream) }
        return try read(stream).map { name in
            String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Returns the names in an open folder as the kernel returns them: NUL-terminated, and consisting of any bytes
    /// except a slash.
    static func read(_ folder: Descriptor) throws(Errno) -> [[CChar]] {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let copy = try Errno.check { openat(folder.raw, ".", flags) }
        guard let stream = fdopendir(copy) else {
            let error = Errno.last
            close(copy)
            throw error
        }
        defer { closedir(stream) }
        return try read(stream)
    }

    private static func read(_ stream: OpaquePointer) throws(Errno) -> [[CChar]] {
        let own: [[CChar]] = [Array(".".utf8CString), Array("..".utf8CString)]
        var names: [[CChar]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw .last }
                return names
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            }
            if !own.contains(name) { names.append(name) }
        }
    }
}

/// Creates a file's folder and all missing parent folders, accessible only to the owner.
///
/// - Returns: the error if a folder cannot be created; nil if the folders exist. A caller that ignores this error will
///   get an error when it writes the file.
@discardableResult
package func makeFolder(of file: String) -> Errno? {
    var end = file.startIndex
    var failure: Errno?
    while let slash = file[end...].firstIndex(of: "/") {
        if slash > file.startIndex, mkdir(String(file[..<slash]), 0o700) != 0, errno != EEXIST {
            failure = failure ?? .last
        }
        end = file.index(after: slash)
    }
    return failure
}

package func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The entries below a folder, accessed without following links. Each folder is opened relative to its parent. If a
/// folder has been replaced with a link, the operation fails, and the link's target is never used.
package struct FolderTree: Sendable {
    /// The folder's path, which may itself be a link.
    package let root: String

    package init(root: String) { self.root = root }

    /// Whether `path` is lexically below the root.
    package func holds(_ path: String) -> Bool {
        path.utf8.count > root.utf8.count + 1 && path.utf8.starts(with: (root + "/").utf8)
    }

    /// Opens the folder that contains `path`, which must be below the root, and returns it with the entry's name.
    ///
    /// - Parameter call: the operation, for the error message.
    /// - Throws: an error that contains the path of the folder that could not be opened. Its error number is `ELOOP` if
    ///   that folder is a link, and `EINVAL` if the path contains `..`.
    package func parent(of path: String, for call: String = "open") throws(FileFailure) -> (
        folder: Descriptor, name: String
    ) {
        // Split the path by bytes, as the kernel does, because Swift treats a slash with a combining accent as a
        // different character.
        let names = path.utf8.dropFirst(root.utf8.count).split(separator: UInt8(ascii: "/"))
            .map { String(Substring($0)) }
        guard let name = names.last, !names.contains("..") else { throw FileFailure(.invalid, call: call, path: path) }
        var reached = root
        do {
            var folder = try Descriptor.open(root, O_RDONLY | O_DIRECTORY)
            for name in names.dropLast() {
                reached += "/" + name
                folder = try Self.folder(name, in: folder)
            }
            return (folder, name)
        } catch {
            throw FileFailure(error, call: call, path: reached)
        }
    }

    private static func folder(_ name: String, in parent: Descriptor) throws(Errno) -> Descriptor {
        try Errno.checkName(name)
        do {
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            return Descriptor(owning: try Errno.check { openat(parent.raw, name, flags) })
        } catch  where error == .notFolder {
            // The kernel reports the same error for a link and for a file, so determine which it is.
            var status = stat()
            let isLink =
                fstatat(parent.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
            throw isLink ? Errno.crossesLinks : .notFolder
        }
    }
}
