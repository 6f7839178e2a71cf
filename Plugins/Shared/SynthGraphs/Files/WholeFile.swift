import Glibc

/// Small files beside a model.
package enum WholeFile {
    /// A regular file as a whole; `nil` if it cannot be read, or is longer than `most` bytes.
    package static func content(of path: String, most: Int) -> [UInt8]? {
        // Without O_NONBLOCK, opening a pipe without a writer would block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= most else {
            return nil
        }
        var bytes: [UInt8] = []
        while bytes.count <= most {
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                repeat { count = read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
                if count < 0 { count = 0 }
            }
            if piece.isEmpty { return bytes }
            bytes += piece
        }
        return nil
    }
}
