import CSynthLinux
import Glibc

/// The identity of a regular file, independent of its names: two are equal if writing one changes the other.
package struct RegularFile: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// nil = there is no file at this path, or it is not a regular file, such as a pipe. Links are followed.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// nil = the descriptor is not a regular file.
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

/// Whether two paths mean one file, which need not exist yet. Links are followed.
package func areOneFile(_ path: String, _ other: String) -> Bool {
    if let file = RegularFile(path: path), file == RegularFile(path: other) { return true }
    guard let place = FilePlace(path: path) else { return false }
    return place == FilePlace(path: other)
}

/// The place of a file that may not exist yet.
private struct FilePlace: Equatable {
    private let device: dev_t
    private let number: ino_t
    private let name: Substring

    /// nil = there is no folder for it.
    ///
    /// - Parameter path: links are followed, and need not lead to a file that is there.
    init?(path: String) {
        let path = LinkTarget.of(path) ?? path
        var status = stat()
        guard stat(LinkTarget.folder(of: path), &status) == 0, let name = path.split(separator: "/").last else {
            return nil
        }
        (device, number, self.name) = (status.st_dev, status.st_ino, name)
    }
}

/// What changes when a file is replaced or written to.
package struct FileIdentity: Hashable, Sendable {
    package let numbers: [UInt64]

    /// nil = there is no file at this path. Links are followed.
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

/// All bytes of a regular file. `EFBIG` if there are more than `limit`.
package func readWholeFile(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
    try Descriptor.openRegular(path).file.readAll(limit: limit)
}

extension Descriptor {
    /// All bytes that come. Blocks until the last one. `EFBIG` if there are more than `limit`.
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

package enum FileSearch {
    /// Whether the bytes stand somewhere in a regular file. Blocks while it is read, in pieces, until they are found.
    ///
    /// - Parameter wanted: at least one byte.
    package static func contains(_ wanted: [UInt8], in path: String) throws(Errno) -> Bool {
        let file = try Descriptor.openRegular(path).file
        let size = max(1 << 20, 2 * wanted.count)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        // The end of a piece stays for the next one, because the bytes may stand across both.
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

/// The value of an extended attribute of a file, which is not a link; nil if the file has none of that name, or the
/// file system supports none.
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
