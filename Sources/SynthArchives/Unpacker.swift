import CSynthArchive
import Glibc
import SynthCatalogue
import SynthModelStore
import SynthSystem

/// Unpacks one archive into a new folder.
///
/// libarchive is used only for reading. This type writes the files with the store's system calls: only regular files and
/// folders, all inside a folder created for this archive. Each file is new, and links are not followed. An archive therefore
/// cannot write outside its folder. Modes, owners and times in the archive are ignored.
struct Unpacker {
    let files: any StoreFiles
    let limits: ArchiveLimits

    /// Unpacks the archive. The folder must not exist. After an error, the folder may be incomplete.
    ///
    /// - Returns: the file paths, relative to the folder.
    func unpack(_ job: UnpackJob) throws(FetchFailure) -> [String] {
        try rethrowing(files.makeFolder(job.folder), as: FetchFailure.unpacking)
        return try unpack(job, try ArchiveReader(job.archive, files, isGiven: job.isGiven))
    }

    private func unpack(_ job: UnpackJob, _ reader: ArchiveReader) throws(FetchFailure) -> [String] {
        let folder = job.folder
        var written: [String] = []
        var folders: Set<String> = []
        var entries = 0
        var total: Int64 = 0
        let packed = max(reader.packedSize, 1)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
        defer { buffer.deallocate() }

        while let entry = try reader.next() {
            entries += 1
            guard entries <= limits.entries else { throw .archive(.tooManyEntries(limit: limits.entries)) }
            let path = try checked(entry)
            guard !path.isEmpty else { continue }
            if let announced = job.announced, !ArchiveMembers.covers(announced, path, isFolder: entry.isFolder) {
                throw .archive(.unannounced(path))
            }
            if let wanted = job.wanted, !entry.isFolder, !ArchiveMembers.covers(wanted, path, isFolder: false) {
                continue
            }
            if entry.isFolder {
                if job.wanted == nil { try makeFolders(path, in: folder, &folders) }
                continue
            }
            if let slash = path.lastIndex(of: "/") { try makeFolders(String(path[..<slash]), in: folder, &folders) }
            let target = folder.child(path)
            let descriptor: Int32
            do {
                descriptor = try files.openFully(target, for: .creating)
            } catch {
                if error.reason == .exists {
                    throw .archive(files.kind(of: target) == .folder ? .fileAndFolder(path) : .twice(path))
                }
                throw .unpacking(error)
            }
            defer { files.close(descriptor) }
            while true {
                let count = try reader.read(into: buffer)
                if count == 0 { break }
                total += Int64(count)
                guard total <= limits.total, total <= packed.multipliedReportingOverflow(by: limits.ratio).partialValue
                else { throw .archive(.tooLarge) }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                try rethrowing(files.writeFully(descriptor, bytes, of: target), as: FetchFailure.unpacking)
            }
            try rethrowing(files.syncFully(descriptor, of: target), as: FetchFailure.unpacking)
            written.append(path)
        }
        for made in folders.sorted() {
            try rethrowing(files.syncFolder(folder.child(made)), as: FetchFailure.unpacking)
        }
        try rethrowing(files.syncFolder(folder), as: FetchFailure.unpacking)
        return written
    }

    /// Returns the entry's relative, validated path; empty for the archive's root.
    private func checked(_ entry: ArchiveReader.Entry) throws(FetchFailure) -> String {
        guard let name = entry.path else { throw .archive(.unreadableName) }
        let shown = String(name.prefix(80))
        guard name.utf8.count <= limits.nameLength else { throw .archive(.longName(bytes: name.utf8.count)) }
        guard !name.hasPrefix("/") else { throw .archive(.absolutePath(shown)) }
        guard !entry.isLink else { throw .archive(.link(shown)) }
        guard entry.isFolder || entry.isRegular else { throw .archive(.special(shown)) }
        let parts = name.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
        guard !parts.contains("..") else { throw .archive(.leadsOutside(shown)) }
        guard parts.count <= limits.depth else { throw .archive(.tooDeep(limit: limits.depth)) }
        let path = parts.joined(separator: "/")
        guard path.isEmpty || FileName.isSafePath(path) else { throw .archive(.badName(shown)) }
        if path.isEmpty, !entry.isFolder { throw .archive(.noName) }
        return path
    }

    private func makeFolders(
        _ path: String, in folder: String, _ made: inout Set<String>
    ) throws(FetchFailure) {
        guard !made.contains(path) else { return }
        if let slash = path.lastIndex(of: "/") { try makeFolders(String(path[..<slash]), in: folder, &made) }
        do {
            try files.makeFolder(folder.child(path))
        } catch {
            guard error.reason == .exists else { throw .unpacking(error) }
            guard files.kind(of: folder.child(path)) == .folder else { throw .archive(.fileAndFolder(path)) }
        }
        made.insert(path)
    }
}

/// Matches names against a list of members: file names, and folder names with a trailing slash, which match everything in the folder.
enum ArchiveMembers {
    static func covers(_ list: [String], _ path: String, isFolder: Bool) -> Bool {
        list.contains { member in
            if member == path || member.hasSuffix("/") && (path + "/" == member || path.hasPrefix(member)) {
                return true
            }
            return isFolder && member.hasPrefix(path + "/")
        }
    }
}

/// An archive that is open for reading. The file is read through the store's system calls, one buffer at a time.
final class ArchiveReader {
    struct Entry {
        /// The path; nil if it is not valid text.
        let path: String?
        let isRegular: Bool
        let isFolder: Bool
        /// Whether this is a hard or symbolic link.
        let isLink: Bool
    }

    let packedSize: Int64
    private let archive: OpaquePointer
    private let feed: Feed

    /// - Parameter isGiven: whether to follow links to the archive.
    init(_ path: String, _ files: any StoreFiles, isGiven: Bool) throws(FetchFailure) {
        let feed: Feed
        do {
            packedSize = try files.status(of: path, followingLinks: isGiven).size
            let descriptor = try files.openFully(path, for: isGiven ? .given : .reading)
            feed = Feed(descriptor: descriptor, path: path, files: files)
        } catch {
            throw .unpacking(error)
        }
        guard let archive = archive_read_new() else { throw .archive(.noMemory) }
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
        guard opened == ARCHIVE_OK else { throw .archive(refusal()) }
    }

    deinit { archive_read_free(archive) }

    /// Returns nil at the end of the archive.
    func next() throws(FetchFailure) -> Entry? {
        var entry: OpaquePointer?
        let result = archive_read_next_header(archive, &entry)
        if result == ARCHIVE_EOF { return nil }
        guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw .archive(refusal()) }
        let type = archive_entry_filetype(entry)
        // If a name is marked as UTF-8, libarchive returns it in UTF-8, regardless of the locale. Other names are raw bytes; if they are
        // not UTF-8, the name on disk would differ from the name in a list.
        let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
        let path = name.flatMap { String(validatingCString: $0) }
        return Entry(
            path: path, isRegular: type == 0o100000, isFolder: type == 0o040000,
            isLink: archive_entry_hardlink(entry) != nil || type == 0o120000)
    }

    /// Returns 0 at the end of the entry.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FetchFailure) -> Int {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw .archive(refusal()) }
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
