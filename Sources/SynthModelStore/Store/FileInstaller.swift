import SynthCatalogue
import SynthSystem

/// Installs one file: downloads it, verifies it, and renames it to its final name. Blocks.
struct FileInstaller {
    let file: ModelFile
    let entry: EntryInstaller

    private var files: any StoreFiles { entry.store.files }
    private var fetcher: any Fetcher { entry.store.fetcher }
    private var network: NetworkPolicy { entry.store.network }
    private var report: EntryReport { entry.report }
    private var path: String { entry.folder.child(file.name) }
    private var part: String { path + StoreLayout.partSuffix }
    private var tagFile: String { path + StoreLayout.tagSuffix }

    func install(_ lock: StoreLock) throws(StoreError) {
        if try isThere(lock) { return report.arrived(file.size, of: file.name) }
        try takeOffered(lock)
        for isLast in [false, true] {
            let (source, found) = try download(lock)
            if found == file.digest { break }
            try perform { () throws(FileFailure) in
                try files.removeAll(part)
                try files.removeAll(tagFile)
            }
            if isLast {
                throw .wrongDigest(
                    file: file.name, found: found, expected: file.digest, source: source, mirror: network.mirror)
            }
            report.arrived(0, of: file.name)
        }
        try perform { () throws(FileFailure) in
            try files.syncFile(part)
            try files.rename(part, to: path)
            try files.syncFolder(entry.folder)
            try files.removeAll(tagFile)
        }
        report.arrived(file.size, of: file.name)
    }

    /// Whether an earlier run installed the file but was interrupted before it could write the record. A file with
    /// incorrect contents is removed, and so is an empty folder with this name. A non-empty folder, which the store did
    /// not create, is an error.
    private func isThere(_ lock: StoreLock) throws(StoreError) -> Bool {
        guard let status = try? files.status(of: path) else { return false }
        if status.kind == .regular, status.size == file.size {
            report.verifies()
            if try digest(of: path, lock) == file.digest { return true }
        }
        try perform { () throws(FileFailure) in
            if status.kind == .folder { try files.removeFolder(path) } else { try files.removeFile(path) }
        }
        return false
    }

    /// Whether one of the user's files has the same digest.
    func isOffered(_ lock: StoreLock) throws(StoreError) -> Bool {
        for path in entry.offered where try holds(path, lock) { return true }
        return false
    }

    /// Instead of downloading the file, copies one of the user's files that has the same digest to the partial file.
    /// The copy is verified again.
    private func takeOffered(_ lock: StoreLock) throws(StoreError) {
        for path in entry.offered where try holds(path, lock) {
            try perform { () throws(FileFailure) in
                try files.removeAll(part)
                try files.removeAll(tagFile)
                try files.copy(given: path, to: part, entry.cancellation)
            }
            return
        }
    }

    private func holds(_ path: String, _ lock: StoreLock) throws(StoreError) -> Bool {
        try fetcher.holds(path, file, lock, files, entry.cancellation)
    }

    private func digest(of path: String, _ lock: StoreLock) throws(StoreError) -> Digest {
        let found = try fetcher.digest(of: path, file.digest.algorithm, lock, entry.cancellation)
        guard let found else { throw .changedWhileVerified(path: path, voice: report.voice) }
        return found
    }

    /// Completes the partial file. Returns the URL from which its last bytes were downloaded, and its digest.
    private func download(_ lock: StoreLock) throws(StoreError) -> (source: String, Digest) {
        if entry.cancellation.isCancelled { throw .cancelled }
        var offset: Int64 = 0
        if let status = try? files.status(of: part) {
            if status.kind == .regular, status.size <= file.size {
                offset = status.size
            } else {
                try perform { () throws(FileFailure) in try files.removeAll(part) }
            }
        }
        report.arrived(offset, of: file.name)
        if offset == file.size {
            report.verifies()
            return (savedTag()?.url ?? file.url, try digest(of: part, lock))
        }
        if network.isOffline { throw failure(.offline) }
        var source = file.url
        var result: DigestResult?
        do {
            var urls: [String] = []
            for address in [file.url] + file.mirrors { urls += try network.addresses(for: address) }
            let job = DownloadJob(
                urls: urls, part: part, size: file.size, offset: offset, tag: savedTag(for: urls[0]),
                algorithm: file.digest.algorithm, retries: network.retries)
            source = urls[0]
            try fetcher.run(.download(job), lock: lock.descriptor, cancellation: entry.cancellation) { event in
                if case .answered(_, let url) = event { source = url }
                if case .digest(let found) = event { result = found }
                handle(event)
            }
        } catch {
            throw failure(error)
        }
        guard let found = try result?.digest(file.digest.algorithm) else {
            throw .changedWhileVerified(path: part, voice: report.voice)
        }
        return (source, found)
    }

    private func handle(_ event: FetchEvent) {
        switch event {
        case .answered(let tag?, let url): try? files.replace(tagFile, with: Array("\(url)\n\(tag)".utf8))
        case .answered(nil, _): try? files.removeAll(tagFile)
        case .progress(let bytes): report.arrived(bytes, of: file.name)
        case .restarting: report.arrived(0, of: file.name)
        case .retrying(let failure, _): report.note(.retrying(failure))
        case .verifying: report.verifies()
        case .unpacked, .digest, .done, .failed: break
        }
    }

    /// The entity tag of the partial file, if its bytes were downloaded from `url`.
    private func savedTag(for url: String) -> String? {
        savedTag().flatMap { $0.url == url ? $0.tag : nil }
    }

    private func savedTag() -> (url: String, tag: String)? {
        guard let text = try? files.contents(of: tagFile, limit: 1 << 16) else { return nil }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        return lines.count == 2 ? (String(lines[0]), String(lines[1])) : nil
    }

    private func failure(_ cause: FetchFailure) -> StoreError {
        if cause == .cancelled { return .cancelled }
        return .notDownloaded(
            DownloadFailure(
                file: file.name, voice: report.voice, folder: entry.folder, mirror: network.mirror, cause))
    }
}

extension Fetcher {
    /// Computes the digest of a file. Blocks.
    ///
    /// - Parameter areGiven: whether the user specified the file. If so, symbolic links to it are followed.
    /// - Returns: nil if the file changed while it was being read.
    func digest(
        of path: String, _ algorithm: Digest.Algorithm, _ lock: StoreLock?, _ cancellation: CancellationSignal,
        areGiven: Bool = false
    ) throws(StoreError) -> Digest? {
        let job = DigestJob(files: [DigestJob.File(path: path, algorithm: algorithm)], areGiven: areGiven)
        return try digests(job, lock, cancellation).first?.digest(algorithm)
    }

    /// Whether one of the user's files is identical to a registry file. The user's file is read only if its size
    /// matches.
    func holds(
        _ path: String, _ wanted: ModelFile, _ lock: StoreLock, _ files: any StoreFiles,
        _ cancellation: CancellationSignal
    ) throws(StoreError) -> Bool {
        guard files.size(ofGiven: path) == wanted.size else { return false }
        return try digest(of: path, wanted.digest.algorithm, lock, cancellation, areGiven: true) == wanted.digest
    }

    /// Returns one result per file, in order. Blocks.
    func digests(
        _ job: DigestJob, _ lock: StoreLock?, _ cancellation: CancellationSignal
    ) throws(StoreError) -> [DigestResult] {
        guard let first = job.files.first else { return [] }
        var results: [DigestResult] = []
        do throws(FetchFailure) {
            try run(.digest(job), lock: lock?.descriptor ?? -1, cancellation: cancellation) { event in
                switch event {
                case .digest(let result): results.append(result)
                case .retrying: results = []
                default: break
                }
            }
            // Otherwise a file without a result would be considered intact.
            guard results.count == job.files.count else { throw .died }
            return results
        } catch {
            throw error == .cancelled ? .cancelled : .notRead(path: first.path, error)
        }
    }
}

extension DigestResult {
    /// The digest; nil if the file changed while it was being read.
    func digest(_ algorithm: Digest.Algorithm) throws(StoreError) -> Digest? {
        switch self {
        case .found(let hexadecimal): Digest(algorithm, hexadecimal)
        case .failed(let failure): throw .file(failure)
        case .changed: nil
        }
    }
}

extension StoreFiles {
    /// The size of one of the user's files; nil unless it is a regular file. Links are followed.
    func size(ofGiven path: String) -> Int64? {
        let status = try? status(of: path, followingLinks: true)
        return status.flatMap { $0.kind == .regular ? $0.size : nil }
    }

    /// Copies one of the user's files. After a cancellation, the copy is incomplete.
    func copy(given path: String, to other: String, _ cancellation: CancellationSignal) throws(FileFailure) {
        let input = try openFully(path, for: .given)
        defer { close(input) }
        let output = try openFully(other, for: .creating)
        defer { close(output) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            if cancellation.isCancelled { return }
            let count = try readFully(input, into: buffer, of: path)
            if count == 0 { break }
            try writeFully(output, UnsafeRawBufferPointer(rebasing: buffer[..<count]), of: other)
        }
        try syncFully(output, of: other)
    }
}
