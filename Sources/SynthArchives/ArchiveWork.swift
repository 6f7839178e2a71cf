import CSynthArchive
package import SynthCatalogue
package import SynthModelStore
package import SynthSystem

/// Runs the jobs that need no network and reports all their events except the final `done` or `failed`. All functions
/// block.
package struct ArchiveWork {
    private let files: (any StoreFiles)?

    /// - Parameter files: nil to use this machine's file system.
    package init(files: (any StoreFiles)? = nil) { self.files = files }

    package func run(_ job: UnpackJob, say: (FetchEvent) -> Void) throws(FetchFailure) {
        let files = files ?? SystemFiles(root: job.root)
        do {
            try unpack(job, files, say)
        } catch {
            try? files.removeAll(job.folder)
            throw error
        }
    }

    private func unpack(
        _ job: UnpackJob, _ files: any StoreFiles, _ say: (FetchEvent) -> Void
    ) throws(FetchFailure) {
        try rethrowing(files.removeAll(job.folder), as: FetchFailure.unpacking)
        let paths = try Unpacker(files: files, limits: job.limits).unpack(job)
        if job.givesDigests { say(.verifying) }
        for path in paths {
            let whole = job.folder.child(path)
            do {
                let size = try files.status(of: whole).size
                let digest = job.givesDigests ? try FileDigest.compute(.sha256, of: whole, files) : nil
                say(.unpacked(UnpackedFile(path: path, size: size, sha256: digest?.hexadecimal)))
            } catch {
                throw .unpacking(error)
            }
        }
    }

    package func run(_ job: DigestJob, say: (FetchEvent) -> Void) {
        for file in job.files {
            say(.digest(result(file.path, file.algorithm, job.areGiven ? .given : .reading)))
        }
    }

    /// Computes the digest of a downloaded file if the job requests one.
    package func finish(_ job: DownloadJob, say: (FetchEvent) -> Void) {
        guard let algorithm = job.algorithm else { return }
        say(.verifying)
        say(.digest(result(job.part, algorithm, .reading)))
    }

    private func result(
        _ path: String, _ algorithm: Digest.Algorithm, _ purpose: OpenPurpose
    ) -> DigestResult {
        do {
            let digest = try FileDigest.compute(algorithm, of: path, files ?? SystemFiles(), for: purpose)
            return digest.map { .found($0.hexadecimal) } ?? .changed
        } catch {
            return .failed(error)
        }
    }
}

/// Computes SHA-256 and MD5 with libarchive's mtree writer, which uses the machine's cryptographic library.
package enum FileDigest {
    /// Returns the digest of a complete file. Blocks for about a second per gigabyte.
    ///
    /// - Parameter purpose: links are followed only if this is `given`.
    /// - Returns: nil if the file's size changed while it was being read.
    package static func compute(
        _ algorithm: Digest.Algorithm, of path: String, _ files: any StoreFiles, for purpose: OpenPurpose = .reading
    ) throws(FileFailure) -> Digest? {
        let size = try files.status(of: path, followingLinks: purpose == .given).size
        let descriptor = try files.openFully(path, for: purpose)
        defer { files.close(descriptor) }
        guard let writer = MtreeWriter(algorithm, size: size) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        var read: Int64 = 0
        while true {
            let count = try files.readFully(descriptor, into: buffer, of: path)
            if count == 0 { break }
            read += Int64(count)
            if read > size { return nil }
            writer.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return read == size ? writer.finish() : nil
    }
}

/// An archive handle that writes a line about a file, including its digest, instead of the file's contents.
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
