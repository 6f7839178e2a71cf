import Glibc
import System

/// What a worker prints, kept in a file that is made with the first byte and holds a bounded amount.
final class WorkerLog {
    let path: String
    private let limit = 1 << 20
    private var written = 0
    private var file: Descriptor?

    init(path: String) { self.path = path }

    var isEmpty: Bool { written == 0 }

    /// What goes beyond the limit, or cannot be written, is dropped: an engine must not fill the disk.
    func append(_ bytes: UnsafeRawBufferPointer) {
        if file == nil, written == 0 {
            makeFolder(of: path)
            // Who opens a pipe that nobody reads would wait.
            file = try? Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY, mode: 0o600)
        }
        let rest = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit - written))
        if !rest.isEmpty { try? file?.writeAll(rest) }
        written += rest.count
    }
}
