/// What a sink opens when the sound begins, and not before: a mistake before the first sound destroys nothing.
enum OutputTarget: Sendable {
    case path(String)
    /// One that the caller keeps open and closes.
    case descriptor(Int32)

    /// - Parameter path: a file that exists or not; `/dev/stdout` means the descriptor of this process.
    init(path: String) {
        self = path == "/dev/stdout" ? .descriptor(1) : .path(path)
    }

    func open() throws(AudioError) -> OutputDescriptor {
        switch self {
        case .path(let path): try OutputDescriptor(creating: path)
        case .descriptor(let descriptor): OutputDescriptor(borrowing: descriptor)
        }
    }
}
