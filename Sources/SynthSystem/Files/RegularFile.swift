import CSynthLinux
import Glibc

/// The identity of a regular file, independent of its names. Two values are equal if they identify the same file.
package struct RegularFile: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Returns nil if the path does not exist, or is not a regular file. Links are followed.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns nil if the descriptor does not refer to a regular file.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}

/// Whether two paths refer to the same file, which need not exist yet. Links are followed.
package func areOneFile(_ path: String, _ other: String) -> Bool {
    if let file = RegularFile(path: path), file == RegularFile(path: other) { return true }
    guard let place = FileLocation(path: path) else { return false }
    return place == FileLocation(path: other)
}

/// The location of a file that may not exist yet: its folder and its name.
private struct FileLocation: Equatable {
    private let device: dev_t
    private let number: ino_t
    private let name: Substring

    /// Returns nil if its folder does not exist.
    ///
    /// - Parameter path: links are followed, even if the target does not exist.
    init?(path: String) {
        let path = LinkTarget.of(path) ?? path
        var status = stat()
        guard stat(LinkTarget.folder(of: path), &status) == 0, let name = path.split(separator: "/").last else {
            return nil
        }
        (device, number, self.name) = (status.st_dev, status.st_ino, name)
    }
}

/// Metadata that changes when a file is replaced or written.
package struct FileIdentity: Hashable, Sendable {
    package let numbers: [UInt64]

    /// Returns nil if the path does not exist. Links are followed.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        numbers = [
            UInt64(status.st_dev), UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)), UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
            UInt64(status.st_mode), UInt64(status.st_uid), UInt64(status.st_gid),
        ]
    }
}

/// Reads an entire regular file. Fails with `EFBIG` if it is larger than `limit`.
package func readWholeFile(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
    try Descriptor.openRegular(path).file.readAll(limit: limit)
}

extension Descriptor {
    /// Reads to the end of the file. Blocks. Fails with `EFBIG` if there are more than `limit` bytes.
    package func readAll(limit: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count = try read(into: chunk)
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > limit { throw .fileTooLarge }
        }
    }
}

/// Searches the contents of files.
package enum FileSearch {
    /// Whether a regular file contains the given bytes. Reads the file in chunks. Blocks.
    ///
    /// - Parameter wanted: at least one byte.
    package static func contains(_ wanted: [UInt8], in path: String) throws(Errno) -> Bool {
        let file = try Descriptor.openRegular(path).file
        let size = max(1 << 20, 2 * wanted.count)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        // Keep the end of each chunk for the next search, because a match may span two chunks.
        var kept = 0
        while true {
            let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept...]))
            if count == 0 { return false }
            let filled = kept + count
            if Self.contains(wanted, in: UnsafeRawBufferPointer(rebasing: buffer[..<filled])) { return true }
            kept = min(filled, wanted.count - 1)
            if kept > 0, let start = buffer.baseAddress { memmove(start, start + (filled - kept), kept) }
        }
    }

    private static func contains(_ wanted: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = wanted.first, let start = bytes.baseAddress else { return false }
        var place = 0
        while bytes.count - place >= wanted.count {
            let room = bytes.count - place - wanted.count + 1
            guard let found = memchr(start + place, Int32(first), room) else { return false }
            if memcmp(found, wanted, wanted.count) == 0 { return true }
            place = UnsafeRawPointer(found) - start + 1
        }
        return false
    }
}

/// Returns the value of a file's extended attribute, without following a link; nil if the file does not have the
/// attribute, or the file system does not support attributes.
package func extendedAttribute(_ name: String, of path: String) throws(Errno) -> [UInt8]? {
    do {
        var value = [UInt8](repeating: 0, count: 64 * 1024)
        let count = try Errno.check {
            value.withUnsafeMutableBytes { linux_get_attribute(path, name, $0.baseAddress, $0.count) }
        }
        return Array(value.prefix(count))
    } catch {
        guard error == .noAttribute || error == .notSupported else { throw error }
        return nil
    }
}
