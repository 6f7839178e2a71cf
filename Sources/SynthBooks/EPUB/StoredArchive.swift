import Glibc
import SynthSystem

/// A ZIP archive with uncompressed members, for EPUB. libarchive is not used, because it adds an extra field to every
/// member, and EPUB forbids extra fields in the first member. Compression would save little, because the audio is
/// already compressed and the text is small.
struct StoredArchive: ~Copyable {
    private struct Member {
        let name: [UInt8]
        let sum: UInt32
        let size: UInt32
        let offset: UInt32
    }

    private let path: String
    private let output: ReplacementFile
    private var members: [Member] = []
    private var size: UInt64 = 0

    private static let version: UInt16 = 20
    /// The flag that marks names as UTF-8.
    private static let flags: UInt16 = 1 << 11
    /// January 1, 1980. With a fixed date, the same book always produces the same file.
    private static let date: UInt16 = 1 << 5 | 1
    private static let block = 1 << 18

    /// - Parameter path: the path at which the file appears once it is complete.
    init(at path: String) throws {
        self.path = path
        do { output = try ReplacementFile(at: path) } catch { throw BookFailure.file(path: path, error) }
    }

    mutating func add(_ name: String, _ bytes: [UInt8]) throws {
        var sum = CRC32()
        sum.add(bytes)
        try begin(name, sum.value, UInt64(bytes.count))
        try write(bytes)
        size += UInt64(bytes.count)
    }

    /// Adds a file's contents. The file must not change during the call.
    mutating func add(_ name: String, contentsOf path: String) throws {
        var (sum, count) = (CRC32(), UInt64(0))
        try Self.read(path) { bytes in
            sum.add(bytes)
            count += UInt64(bytes.count)
        }
        try begin(name, sum.value, count)
        let end = size + count
        let file = output.file
        var failure: Errno?
        try Self.read(path) { bytes in
            do throws(Errno) { try file.writeAll(bytes) } catch { failure = failure ?? error }
            size += UInt64(bytes.count)
        }
        guard failure == nil, size == end else { throw BookFailure.file(path: self.path, failure ?? Errno(EIO)) }
    }

    consuming func finish() throws {
        let start = size
        var directory: [UInt8] = []
        for member in members {
            directory.append(UInt32(0x0201_4B50))
            directory.append(Self.version)
            directory.append(head(member))
            // The comment length, disk number and internal attributes are all 0.
            for _ in 0..<3 { directory.append(UInt16(0)) }
            directory.append(UInt32(0))
            directory.append(member.offset)
            directory += member.name
        }
        guard size + UInt64(directory.count) <= UInt64(UInt32.max), let count = UInt16(exactly: members.count) else {
            throw BookFailure.file(path: path, Errno(EFBIG))
        }
        let length = UInt32(directory.count)
        directory.append(UInt32(0x0605_4B50))
        for number in [0, 0, count, count] as [UInt16] { directory.append(number) }
        directory.append(length)
        directory.append(UInt32(start))
        directory.append(UInt16(0))
        try write(directory)
        let path = path
        do { try output.publish() } catch { throw BookFailure.file(path: path, error) }
    }

    private func write(_ bytes: [UInt8]) throws {
        do { try output.file.writeAll(bytes) } catch { throw BookFailure.file(path: path, error) }
    }

    private mutating func begin(_ name: String, _ sum: UInt32, _ count: UInt64) throws {
        // Archives of 4 GB or more require ZIP64, which few e-book readers support.
        guard let offset = UInt32(exactly: size), let length = UInt32(exactly: count), offset < .max - length else {
            throw BookFailure.file(path: path, Errno(EFBIG))
        }
        let member = Member(name: Array(name.utf8), sum: sum, size: length, offset: offset)
        var header: [UInt8] = []
        header.append(UInt32(0x0403_4B50))
        header.append(head(member))
        header += member.name
        try write(header)
        size += UInt64(header.count)
        members.append(member)
    }

    /// The fields shared by a member's local header and its directory entry.
    private func head(_ member: Member) -> [UInt8] {
        var bytes: [UInt8] = []
        // Method "stored", time 00:00.
        for number in [Self.version, Self.flags, 0, 0, Self.date] { bytes.append(number) }
        for number in [member.sum, member.size, member.size] { bytes.append(number) }
        bytes.append(UInt16(clamping: member.name.count))
        bytes.append(UInt16(0))
        return bytes
    }

    private static func read(_ path: String, _ take: ([UInt8]) -> Void) throws {
        do {
            let file = try Descriptor.openRegular(path).file
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: block, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                let count = try file.read(into: buffer)
                if count == 0 { return }
                take(Array(buffer[..<count]))
            }
        } catch {
            throw BookFailure.file(path: path, error)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(_ bytes: [UInt8]) { self += bytes }
}

/// The CRC-32 checksum used by ZIP (ISO 3309).
struct CRC32 {
    private var state = UInt32.max

    private static let table = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }

    var value: UInt32 { ~state }

    mutating func add(_ bytes: [UInt8]) {
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes { state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8 }
        }
    }
}
