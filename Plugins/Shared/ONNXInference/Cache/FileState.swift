import Glibc

/// What the file system stores about a file. It is equal as long as the file is neither written to nor replaced.
struct FileState: Equatable, Sendable {
    var size: UInt64
    var inode: UInt64
    var modified: String

    /// `nil` if there is no regular file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = UInt64(status.st_size)
        inode = UInt64(status.st_ino)
        modified = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    init(size: UInt64, inode: UInt64, modified: String) {
        self.size = size
        self.inode = inode
        self.modified = modified
    }
}
