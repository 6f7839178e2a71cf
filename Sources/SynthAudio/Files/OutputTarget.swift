import CALSA
import Glibc

/// The file or stream that a sink opens when the sound begins. It is not opened earlier, so that an earlier error
/// leaves an existing file unchanged.
enum OutputTarget: Sendable {
    case path(String)
    /// A descriptor that the caller keeps open and closes.
    case descriptor(Int32)

    /// - Parameter path: a file that exists or not; `/dev/stdout` means the descriptor of this process.
    init(path: String) {
        self = path == "/dev/stdout" ? .descriptor(1) : .path(path)
    }

    /// Whether another program reads what is written while it is written.
    var isPipe: Bool { kind.map { [S_IFIFO, S_IFSOCK].contains($0) } ?? false }

    /// Whether there is something that is not a regular file: a pipe, a device, a folder.
    var isSpecial: Bool { kind.map { $0 != S_IFREG } ?? false }

    /// nil = there is nothing.
    private var kind: mode_t? {
        var status = stat()
        let isThere =
            switch self {
            case .path(let path): stat(path, &status) == 0
            case .descriptor(let descriptor): fstat(descriptor, &status) == 0
            }
        return isThere ? status.st_mode & S_IFMT : nil
    }

    /// - Returns: nil if `stop` was raised before a FIFO had a reader.
    func open(until stop: StopSignal) throws(AudioError) -> OutputDescriptor? {
        switch self {
        case .path(let path): try OutputDescriptor(creating: path, until: stop)
        case .descriptor(let descriptor): OutputDescriptor(borrowing: descriptor)
        }
    }

    /// Opens a regular file so that it gets its name when it is closed.
    ///
    /// - Returns: nil if `stop` was raised before a FIFO had a reader.
    func openReplacing(until stop: StopSignal) throws(AudioError) -> OutputDescriptor? {
        switch self {
        case .path(let path): try OutputDescriptor(replacing: path, until: stop)
        case .descriptor(let descriptor): OutputDescriptor(borrowing: descriptor)
        }
    }
}
