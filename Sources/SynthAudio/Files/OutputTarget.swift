import CSynthALSA
import Glibc
package import SynthSystem

/// Checks output paths before a long operation, such as a download.
package enum OutputPath {
    /// Throws the errors that opening the file would throw but leaves an existing file unchanged. Checks only regular
    /// files, because opening a pipe or a device has side effects.
    ///
    /// - Throws: `outputNotCreated`, `outputLinkLeadsNowhere`, `outputNotReplaced`, `outputInUse`.
    package static func check(_ path: String, sparing inUse: FilesInUse = FilesInUse()) throws(AudioError) {
        guard case .path(let path, let inUse, _) = OutputTarget(path: path, sparing: inUse) else { return }
        try OutputDescriptor.check(path, sparing: inUse)
    }

    /// Checks a folder for output files. If it does not exist, checks whether it can be created.
    ///
    /// - Throws: `outputNotCreated`.
    package static func check(folder path: String) throws(AudioError) {
        var location = absolutePath(path)
        while access(location, F_OK) != 0, errno == ENOENT, location != "/" {
            location = LinkTarget.folder(of: location)
        }
        guard isFolder(location) else { throw .outputNotCreated(path: path, code: ENOTDIR) }
        guard access(location, W_OK | X_OK) == 0 else { throw .outputNotCreated(path: path, code: errno) }
    }
}

/// The file or stream that a sink opens when audio is available. If an error occurs before that, an existing file is
/// unchanged.
enum OutputTarget: Sendable {
    /// A file that must not be replaced while this program is reading it (`FilesInUse`).
    case path(String, FilesInUse, mode: UInt32)
    /// A new file that must not replace an existing one.
    case new(String, FilesInUse)
    /// A descriptor that the caller keeps open and closes.
    case descriptor(Int32)

    /// - Parameters:
    ///   - path: a file, which may already exist. `/dev/stdout` and `/dev/fd/N` refer to descriptors of this process.
    ///   - inUse: files that must not be replaced.
    ///   - mode: the mode of a new file, before applying the umask.
    init(path: String, sparing inUse: FilesInUse = FilesInUse(), mode: UInt32 = 0o666) {
        self = Self.descriptor(named: path).map(OutputTarget.descriptor) ?? .path(path, inUse, mode: mode)
    }

    /// Returns the descriptor for a path such as `/dev/stdout`. If the descriptor refers to a file, opening it by path
    /// would replace or truncate that file.
    private static func descriptor(named path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            let folder = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix)
            guard let folder, let number = Int32(path.dropFirst(folder.count)),
                // Reject other spellings, such as leading zeros, because the system does not support them.
                path == "\(folder)\(number)", fcntl(number, F_GETFD) != -1
            else { return nil }
            return number
        }
    }

    /// Whether another program reads the data as it is written.
    var isPipe: Bool { kind.map { [S_IFIFO, S_IFSOCK].contains($0) } ?? false }

    /// Whether the target is, or will be, a regular file that appears at its path when it is complete.
    var isFile: Bool {
        switch self {
        case .path: kind.map { $0 == S_IFREG } ?? true
        case .new: true
        case .descriptor: false
        }
    }

    /// The type bits of the file mode, or nil if the path does not exist.
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
