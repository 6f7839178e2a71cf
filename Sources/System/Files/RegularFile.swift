import Glibc

/// The identity of a regular file, independent of its names: two are equal if writing one changes the other.
package struct RegularFile: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// nil = there is no file at this path, or it is not a regular file, such as a pipe. Links are followed.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// nil = the descriptor is not a regular file.
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
