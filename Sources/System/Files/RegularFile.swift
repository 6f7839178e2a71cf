import Glibc

/// A regular file on a disk, whatever names it has: two are equal if writing one changes the other.
package struct RegularFile: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// nil = there is none at this path, or something else, such as a pipe. Links are followed.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// nil = the descriptor leads to something else.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
