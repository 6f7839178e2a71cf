import CSynthFileHoles
import Glibc

/// An open file, which is closed when this value is destroyed.
package struct DiskFile: ~Copyable {
    private let descriptor: Int32

    package init(reading path: String) throws { descriptor = try Self.open(path, O_RDONLY, S_IFREG) }

    /// Creates or truncates a file.
    package init(writing path: String) throws {
        descriptor = try Self.open(path, O_WRONLY | O_CREAT | O_TRUNC, S_IFREG)
    }

    /// Opens a file to change some of its bytes. Creates it if it does not exist.
    init(changing path: String) throws {
        descriptor = try Self.open(path, O_WRONLY | O_CREAT, S_IFREG)
    }

    private init(folder path: String) throws { descriptor = try Self.open(path, O_RDONLY, S_IFDIR) }

    /// Opens a file only if it is of the given type, because opening a pipe without a writer would block. Throws
    /// `EINVAL` if the file is of a different type.
    static func open(_ path: String, _ flags: Int32, _ kind: mode_t) throws -> Int32 {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw InferenceError.file(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == kind else {
            close(descriptor)
            throw InferenceError.file(code: EINVAL)
        }
        return descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Reads from `offset` in the file until the buffer is full. Returns the number of bytes read, which is less than
    /// the buffer's size only at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
        var count = 0
        while count < buffer.count {
            let result = pread(
                descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(offset) + off_t(count))
            if result > 0 {
                count += result
            } else if result == 0 {
                break
            } else if errno != EINTR {
                throw InferenceError.file(code: errno)
            }
        }
        return count
    }

    package func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0, at: 0) }
    }

    /// Writes at `offset` in the file. If `offset` is beyond the end of the file, the gap is filled with zeros.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        var count = 0
        while count < bytes.count {
            let result = pwrite(
                descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count, off_t(offset) + off_t(count))
            if result >= 0 {
                count += result
            } else if errno != EINTR {
                throw InferenceError.file(code: errno)
            }
        }
    }

    /// Waits until the content is on disk.
    package func synchronize() throws {
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw InferenceError.file(code: errno) }
        }
    }

    /// Returns the content of a small file, truncated to `limit` bytes.
    package static func content(of path: String, limit: Int) throws -> [UInt8] {
        let file = try DiskFile(reading: path)
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        return Array(bytes.prefix(count))
    }

    /// Returns the digest of a file, which is read in pieces.
    package static func digest(of path: String) throws -> UInt64 {
        let file = try DiskFile(reading: path)
        var digest = ContentDigest()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        var offset: UInt64 = 0
        while true {
            let count = try file.read(into: piece, at: offset)
            guard count > 0 else { return digest.value }
            digest.update(UnsafeRawBufferPointer(rebasing: piece.prefix(count)))
            offset += UInt64(count)
        }
    }

    /// Punches holes in a file outside the kept ranges if that frees enough space and the file system supports holes.
    /// The holes read as zeros. Returns whether any space was freed.
    package static func punchHoles(all path: String, but kept: [Range<UInt64>]) throws -> Bool {
        guard let size = FileState(path: path)?.size else { return false }
        var holes: [Range<UInt64>] = []
        var end: UInt64 = 0
        for range in kept.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if min(range.lowerBound, size) > end { holes.append(end..<min(range.lowerBound, size)) }
            end = max(end, range.upperBound)
        }
        if end < size { holes.append(end..<size) }
        guard holes.reduce(0, { $0 + $1.count }) >= minimumHoleSize else { return false }
        let file = try DiskFile(changing: path)
        var isChanged = false
        for hole in holes where hole.count >= minimumHoleSize {
            guard file_holes_punch(file.descriptor, off_t(hole.lowerBound), off_t(hole.count)) else { break }
            isChanged = true
        }
        return isChanged
    }

    private static let minimumHoleSize = 1 << 16

    /// Waits until a folder's directory entries are on disk.
    package static func synchronize(folder path: String) throws {
        let folder = try DiskFile(folder: path)
        try folder.synchronize()
    }
}

/// A file's metadata, for detecting that the file was written or replaced.
package struct FileState: Equatable, Sendable {
    package var size: UInt64
    package var inode: UInt64
    package var modified: String

    /// Returns `nil` if the path does not refer to a regular file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = UInt64(status.st_size)
        inode = UInt64(status.st_ino)
        modified = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    package init(size: UInt64, inode: UInt64, modified: String) {
        self.size = size
        self.inode = inode
        self.modified = modified
    }
}

/// Reads small files into memory.
package enum FileContents {
    /// Returns the content of a regular file; `nil` if it cannot be read or is longer than `most` bytes.
    package static func content(of path: String, most: Int) -> [UInt8]? {
        // With O_NONBLOCK, open does not block on a pipe without a writer.
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
