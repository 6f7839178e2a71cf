import CSynthArchive

@testable import SynthCatalogue

/// Creates valid or malicious archives byte by byte.
struct TarBytes {
    private(set) var bytes: [UInt8] = []

    /// Adds a ustar header and the content, padded to 512-byte blocks.
    mutating func add(
        _ name: String, kind: Character = "0", _ content: [UInt8] = [], link: String = "", mode: Int = 0o644
    ) {
        addRaw(Array(name.utf8), kind: kind, content, link: link, mode: mode)
    }

    /// Adds a file whose name need not be valid text.
    mutating func addRaw(
        _ name: [UInt8], kind: Character = "0", _ content: [UInt8] = [1], link: String = "", mode: Int = 0o644
    ) {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int, _ length: Int) {
            for (index, byte) in text.utf8.prefix(length).enumerated() { header[offset + index] = byte }
        }
        func octal(_ number: Int, at offset: Int, _ digits: Int) {
            let text = String(number, radix: 8)
            put(String(repeating: "0", count: digits - text.count) + text, at: offset, digits)
        }
        header.replaceSubrange(0..<min(name.count, 100), with: name.prefix(100))
        octal(mode, at: 100, 7)
        octal(0, at: 108, 7)
        octal(0, at: 116, 7)
        octal(content.count, at: 124, 11)
        octal(0, at: 136, 11)
        put("        ", at: 148, 8)
        put(String(kind), at: 156, 1)
        put(link, at: 157, 100)
        put("ustar", at: 257, 5)
        put("00", at: 263, 2)
        octal(1, at: 329, 7)
        octal(3, at: 337, 7)
        octal(header.reduce(0) { $0 + Int($1) }, at: 148, 6)
        header[154] = 0
        bytes += header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }

    /// Adds a file with a name of any length, using a GNU long-name entry.
    mutating func addLong(_ name: String, _ content: [UInt8]) {
        add("././@LongLink", kind: "L", Array(name.utf8) + [0])
        add("short", content)
    }

    /// The bytes, followed by the two empty blocks that end an archive.
    var ended: [UInt8] { bytes + [UInt8](repeating: 0, count: 1024) }

    enum Compression { case gzip, bzip2 }

    /// The compressed archive.
    func compressed(_ compression: Compression) -> [UInt8] { TarBytes.compress(ended, compression) }

    static func compress(_ bytes: [UInt8], _ compression: Compression) -> [UInt8] {
        written(bytes.count, name: "data", content: bytes) { archive in
            _ = archive_write_set_format_raw(archive)
            _ = compression == .gzip ? archive_write_add_filter_gzip(archive) : archive_write_add_filter_bzip2(archive)
        }
    }

    /// A ZIP archive with one file.
    static func zip(_ name: String, _ content: [UInt8]) -> [UInt8] {
        written(content.count, name: name, content: content) { _ = archive_write_set_format_zip($0) }
    }

    /// A pax archive with one file whose name is marked as UTF-8.
    static func pax(_ name: String, _ content: [UInt8]) -> [UInt8] {
        func record(_ key: String, _ value: String) -> String {
            let rest = " \(key)=\(value)\n"
            var length = rest.utf8.count + 1
            while "\(length)\(rest)".utf8.count != length { length += 1 }
            return "\(length)\(rest)"
        }
        var tar = TarBytes()
        tar.add("PaxHeader", kind: "x", Array(record("path", name).utf8))
        tar.add("short", content)
        return tar.ended
    }

    private static func written(
        _ size: Int, name: String, content: [UInt8], _ prepare: (OpaquePointer) -> Void
    ) -> [UInt8] {
        guard let archive = archive_write_new(), let entry = archive_entry_new() else { return [] }
        defer {
            archive_entry_free(entry)
            archive_write_free(archive)
        }
        prepare(archive)
        archive_write_set_bytes_in_last_block(archive, 1)
        var buffer = [UInt8](repeating: 0, count: size + size / 50 + 10_000)
        var used = 0
        buffer.withUnsafeMutableBytes { target in
            archive_write_open_memory(archive, target.baseAddress, target.count, &used)
            archive_entry_set_pathname(entry, name)
            archive_entry_set_filetype(entry, 0o100000)
            archive_entry_set_perm(entry, 0o644)
            archive_entry_set_size(entry, Int64(size))
            archive_write_header(archive, entry)
            _ = content.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
            archive_write_close(archive)
        }
        return Array(buffer[..<used])
    }
}
