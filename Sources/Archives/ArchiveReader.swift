import CArchive
import ModelStore

/// An archive that is open for reading. The file is read through the store's calls, a buffer at a time.
final class ArchiveReader {
    struct Entry {
        /// `nil` if it is not text.
        let path: String?
        let isRegular: Bool
        let isFolder: Bool
        /// A hard or a symbolic link.
        let isLink: Bool
    }

    let packedSize: Int64
    private let archive: OpaquePointer
    private let feed: Feed

    /// - Parameter isGiven: if true, links to it are followed.
    init(_ path: String, _ files: any StoreFiles, isGiven: Bool) throws(ArchiveRefusal) {
        let feed: Feed
        do {
            packedSize = try files.status(of: path, followingLinks: isGiven).size
            let descriptor = try files.openFully(path, for: isGiven ? .given : .reading)
            feed = Feed(descriptor: descriptor, path: path, files: files)
        } catch {
            throw .file(error)
        }
        guard let archive = archive_read_new() else { throw .noMemory }
        self.feed = feed
        self.archive = archive
        for kind in [archive_read_support_format_tar, archive_read_support_format_zip] { _ = kind(archive) }
        for filter in [archive_read_support_filter_bzip2, archive_read_support_filter_gzip] { _ = filter(archive) }
        let opened = archive_read_open(
            archive, Unmanaged.passUnretained(feed).toOpaque(), nil,
            { _, feed, bytes in
                guard let feed else { return -1 }
                let source = Unmanaged<Feed>.fromOpaque(feed).takeUnretainedValue()
                do throws(FileFailure) {
                    let count = try source.fill()
                    bytes?.pointee = UnsafeRawPointer(source.buffer.baseAddress)
                    return count
                } catch {
                    source.failure = error
                    return -30
                }
            }, nil)
        guard opened == ARCHIVE_OK else { throw refusal() }
    }

    deinit { archive_read_free(archive) }

    /// `nil` at the end.
    func next() throws(ArchiveRefusal) -> Entry? {
        var entry: OpaquePointer?
        let result = archive_read_next_header(archive, &entry)
        if result == ARCHIVE_EOF { return nil }
        guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw refusal() }
        let type = archive_entry_filetype(entry)
        // libarchive gives names that are marked as UTF-8 in UTF-8 in every locale. Others are bytes; if they are not
        // UTF-8, the name on the disk would differ from the one in a list.
        let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
        let path = name.flatMap { String(validatingCString: $0) }
        return Entry(
            path: path, isRegular: type == 0o100000, isFolder: type == 0o040000,
            isLink: archive_entry_hardlink(entry) != nil || type == 0o120000)
    }

    /// 0 = the end of the entry.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveRefusal) -> Int {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw refusal() }
        return count
    }

    private func refusal() -> ArchiveRefusal {
        if let failure = feed.failure { return .file(failure) }
        return .damaged(detail: archive_error_string(archive).map { String(cString: $0) })
    }

    private final class Feed {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        var failure: FileFailure?
        private let descriptor: Int32
        private let path: String
        private let files: any StoreFiles

        init(descriptor: Int32, path: String, files: any StoreFiles) {
            self.descriptor = descriptor
            self.path = path
            self.files = files
        }

        deinit {
            buffer.deallocate()
            files.close(descriptor)
        }

        func fill() throws(FileFailure) -> Int { try files.readFully(descriptor, into: buffer, of: path) }
    }
}
