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
    var isPipe: Bool {
        var status = stat()
        let isThere =
            switch self {
            case .path(let path): stat(path, &status) == 0
            case .descriptor(let descriptor): fstat(descriptor, &status) == 0
            }
        return isThere && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// - Returns: nil if `stop` was raised before a FIFO had a reader.
    func open(until stop: StopSignal) throws(AudioError) -> OutputDescriptor? {
        switch self {
        case .path(let path): try OutputDescriptor(creating: path, until: stop)
        case .descriptor(let descriptor): OutputDescriptor(borrowing: descriptor)
        }
    }
}
