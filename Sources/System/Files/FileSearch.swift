import Glibc

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
