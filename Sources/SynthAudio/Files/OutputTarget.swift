import CSynthALSA
import Glibc
package import SynthSystem

/// Checks outputs before a long operation, such as a download, begins.
package enum OutputPath {
    /// Throws the errors that opening the file would throw, and leaves an existing file unchanged. Only regular files are checked,
    /// because opening a pipe or a device has side effects.
    ///
    /// - Throws: `outputNotCreated`, `outputLinkLeadsNowhere`, `outputNotReplaced`, `outputInUse`.
    package static func check(_ path: String, sparing inUse: FilesInUse = FilesInUse()) throws(AudioError) {
        guard case .path(let path, let inUse, _) = OutputTarget(path: path, sparing: inUse) else { return }
        try OutputDescriptor.check(path, sparing: inUse)
    }

    /// Checks a folder to write files to. If it does not exist, it must be possible to create it.
    ///
    /// - Throws: `outputNotCreated`.
    package static func check(folder path: String) throws(AudioError) {
        var place = absolutePath(path)
        while access(place, F_OK) != 0, errno == ENOENT, place != "/" { place = LinkTarget.folder(of: place) }
        guard isFolder(place) else { throw .outputNotCreated(path: path, code: ENOTDIR) }
        guard access(place, W_OK | X_OK) == 0 else { throw .outputNotCreated(path: path, code: errno) }
    }
}

/// The file or stream that a sink opens once audio is available. It is not opened before that, so that an error before the
/// first audio leaves an existing file unchanged.
enum OutputTarget: Sendable {
    /// A file that this program must not be reading (`FilesInUse`).
    case path(String, FilesInUse, mode: UInt32)
    /// A new file that must not replace an existing one.
    case new(String, FilesInUse)
    /// A descriptor that the caller keeps open and closes.
    case descriptor(Int32)

    /// - Parameters:
    ///   - path: a file, which may already exist; `/dev/stdout` and `/dev/fd/N` mean descriptors of this process.
    ///   - inUse: files that must not be replaced.
    ///   - mode: the mode of a new file, before the umask of this process.
    init(path: String, sparing inUse: FilesInUse = FilesInUse(), mode: UInt32 = 0o666) {
        self = Self.descriptor(named: path).map(OutputTarget.descriptor) ?? .path(path, inUse, mode: mode)
    }

    /// Returns the descriptor that a path such as `/dev/stdout` refers to. Opening it by path would replace or truncate the file
    /// that the output is redirected to.
    private static func descriptor(named path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            let folder = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix)
            guard let folder, let number = Int32(path.dropFirst(folder.count)),
                // Reject other spellings, such as leading zeros, which the system does not accept.
                path == "\(folder)\(number)", fcntl(number, F_GETFD) != -1
            else { return nil }
            return number
        }
    }

    /// Whether another program reads the data while it is written.
    var isPipe: Bool { kind.map { [S_IFIFO, S_IFSOCK].contains($0) } ?? false }

    /// Whether it is, or will be, a regular file that gets its name once it is complete.
    var isFile: Bool {
        switch self {
        case .path: kind.map { $0 == S_IFREG } ?? true
        case .new: true
        case .descriptor: false
        }
    }

    /// The type bits of the file's mode; nil if nothing exists at the path.
    private var kind: mode_t? {
        var status = stat()
        let isThere =
            switch self {
            case .path(let path, _, _), .new(let path, _): stat(path, &status) == 0
            case .descriptor(let descriptor): fstat(descriptor, &status) == 0
            }
        return isThere ? status.st_mode & S_IFMT : nil
    }

    /// - Returns: nil if `stop` was raised before a FIFO had a reader.
    func open(until stop: StopSignal) throws(AudioError) -> OutputDescriptor? {
        switch self {
        case .path(let path, let inUse, let mode):
            try OutputDescriptor(path, sparing: inUse, mode: mode, until: stop)
        case .new(let path, let inUse): try OutputDescriptor(new: path, sparing: inUse)
        case .descriptor(let descriptor): OutputDescriptor(borrowing: descriptor)
        }
    }
}
