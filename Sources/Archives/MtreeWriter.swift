import CArchive
import VoiceCatalogue
import ModelStore

/// An archive handle that writes a line about a file, with its digest, in place of the file.
final class MtreeWriter {
    private let algorithm: Digest.Algorithm
    private let archive: OpaquePointer
    private var text: [UInt8] = []
    private var isSound: Bool

    init?(_ algorithm: Digest.Algorithm, size: Int64) {
        guard let archive = archive_write_new() else { return nil }
        self.algorithm = algorithm
        self.archive = archive
        isSound =
            archive_write_set_format_mtree(archive) == ARCHIVE_OK
            && archive_write_set_options(archive, "!all,\(algorithm.rawValue)") == ARCHIVE_OK
            && archive_write_set_bytes_in_last_block(archive, 1) == ARCHIVE_OK
        let writer = Unmanaged.passUnretained(self).toOpaque()
        let opened = archive_write_open(
            archive, writer, nil,
            { _, writer, bytes, count in
                guard let writer, let bytes else { return -1 }
                let text = UnsafeRawBufferPointer(start: bytes, count: count)
                Unmanaged<MtreeWriter>.fromOpaque(writer).takeUnretainedValue().text += text
                return count
            }, nil)
        guard let entry = archive_entry_new() else { return nil }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, "f")
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_size(entry, size)
        isSound = isSound && opened == ARCHIVE_OK && archive_write_header(archive, entry) == ARCHIVE_OK
    }

    deinit { archive_write_free(archive) }

    func add(_ bytes: UnsafeRawBufferPointer) {
        isSound = isSound && archive_write_data(archive, bytes.baseAddress, bytes.count) == bytes.count
    }

    func finish() -> Digest? {
        isSound =
            isSound && archive_write_finish_entry(archive) == ARCHIVE_OK && archive_write_close(archive) == ARCHIVE_OK
        guard isSound else { return nil }
        let words = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        let names = algorithm == .sha256 ? ["sha256digest=", "sha256="] : ["md5digest=", "md5="]
        for word in words {
            for name in names where word.hasPrefix(name) {
                return Digest(algorithm, String(word.dropFirst(name.count)))
            }
        }
        return nil
    }
}
