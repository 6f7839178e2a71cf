import Glibc

/// The identity of a regular file, independent of its names: two are equal if writing one changes the other.
package struct RegularFile: Hashable, Sendable {
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

/// Whether two paths mean one file, which need not exist yet. Links are followed.
package func areOneFile(_ path: String, _ other: String) -> Bool {
    if let file = RegularFile(path: path), file == RegularFile(path: other) { return true }
    guard let place = FilePlace(path: path) else { return false }
    return place == FilePlace(path: other)
}

/// The place of a file that may not exist yet.
private struct FilePlace: Equatable {
    private let device: dev_t
    private let number: ino_t
    private let name: Substring

    /// nil = there is no folder for it.
    ///
    /// - Parameter path: links are followed, and need not lead to a file that is there.
    init?(path: String) {
        let path = LinkTarget.of(path) ?? path
        var status = stat()
        guard stat(LinkTarget.folder(of: path), &status) == 0, let name = path.split(separator: "/").last else {
            return nil
        }
        (device, number, self.name) = (status.st_dev, status.st_ino, name)
    }
}
