import Glibc

/// A byte buffer that is filled completely before it is read. Small contents stay in memory; larger contents go to an
/// unnamed file, which disappears with this object or its process. Not thread-safe.
package final class SpooledBytes {
    /// The content while it is in memory; empty once it is in a file.
    private var memory: [UInt8] = []
    private var file: Descriptor?
    private let memoryLimit: Int
    package let folder: String

    package private(set) var count = 0

    /// - Parameters:
    ///   - memoryLimit: the maximum number of bytes to keep in memory; larger contents move to a file.
    ///   - folder: the folder whose file system stores the file.
    package init(memoryLimit: Int, folder: String) {
        self.memoryLimit = memoryLimit
        self.folder = folder
    }

    /// - Throws: the error of the file operation; earlier bytes remain available.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        if file == nil, count + bytes.count > memoryLimit { try moveToFile() }
        if let file {
            try Self.write(bytes, to: file, at: count)
        } else {
            memory.append(contentsOf: bytes)
        }
        count += bytes.count
    }

    /// Overwrites existing bytes starting at `offset`, without extending the content.
    package func overwrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Errno) {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(0, count - offset)))
        if let file { return try Self.write(bytes, to: file, at: offset) }
        memory.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    /// Shortens the content to the first `count` bytes.
    package func truncate(to count: Int) {
        guard count < self.count else { return }
        if file == nil { memory.removeLast(self.count - count) }
        self.count = count
    }

    /// Returns up to `limit` bytes starting at `offset`; empty at the end.
    package func bytes(from offset: Int, atMost limit: Int) throws(Errno) -> [UInt8] {
        let length = min(limit, count - offset)
        guard length > 0 else { return [] }
        guard let file else { return Array(memory[offset..<offset + length]) }
        var bytes = [UInt8](repeating: 0, count: length)
        var done = 0
        var span = bytes.mutableSpan
        try span.withUnsafeMutableBytes { (bytes) throws(Errno) in
            while done < length {
                let count = try Errno.check {
                    pread(file.raw, bytes.baseAddress?.advanced(by: done), length - done, off_t(offset + done))
                }
                // Another process has truncated the file.
                if count == 0 { throw Errno(EIO) }
                done += count
            }
        }
        return bytes
    }

    private func moveToFile() throws(Errno) {
        let file = try Descriptor.unnamed(in: folder)
        let memory = memory
        try memory.span.withUnsafeBytes { (bytes) throws(Errno) in try Self.write(bytes, to: file, at: 0) }
        self.file = file
        self.memory = []
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: Int) throws(Errno) {
        var done = 0
        while done < bytes.count {
            done += try Errno.check {
                pwrite(file.raw, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
            }
        }
    }
}

extension Descriptor {
    /// Creates an empty unnamed file for reading and writing. The file disappears when its last descriptor is closed.
    ///
    /// - Parameter folder: the folder whose file system stores the file.
    package static func unnamed(in folder: String) throws(Errno) -> Descriptor {
        let path = "\(folder)/.synthhost.\(getpid()).\(UInt32.random(in: 0 ... .max))"
        let file = try open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        unlink(path)
        return file
    }
}
