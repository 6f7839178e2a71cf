import System

extension StoreFiles {
    /// The length of a regular file of the user's; nil for anything else. Links are followed.
    func size(ofGiven path: String) -> Int64? {
        let status = try? status(of: path, followingLinks: true)
        return status.flatMap { $0.kind == .regular ? $0.size : nil }
    }

    /// Copies a file of the user's. A copy that was cancelled is not whole.
    func copy(given path: String, to other: String, _ cancellation: CancellationSignal) throws(FileFailure) {
        let input = try openFully(path, for: .given)
        defer { close(input) }
        let output = try openFully(other, for: .creating)
        defer { close(output) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            if cancellation.isCancelled { return }
            let count = try readFully(input, into: buffer, of: path)
            if count == 0 { break }
            try writeFully(output, UnsafeRawBufferPointer(rebasing: buffer[..<count]), of: other)
        }
        try syncFully(output, of: other)
    }
}
