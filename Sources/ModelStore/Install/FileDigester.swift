import System
import VoiceCatalogue

/// Computes digests of files through the fetcher. Blocks.
struct FileDigester {
    let fetcher: any Fetcher
    let cancellation: CancellationSignal

    /// - Parameter areGiven: whether the user named the file; if so, links to it are followed.
    /// - Returns: nil = the file changed meanwhile.
    func digest(
        of path: String, _ algorithm: Digest.Algorithm, _ lock: StoreLock, areGiven: Bool = false
    ) throws(StoreError) -> Digest? {
        let job = DigestJob(files: [DigestJob.File(path: path, algorithm: algorithm)], areGiven: areGiven)
        return try results(of: job, lock).first?.digest(algorithm)
    }

    /// Whether a file of the user's is, byte for byte, one of a registry. It is read only if the length is the same.
    func holds(
        _ path: String, _ wanted: ModelFile, _ lock: StoreLock, _ files: any StoreFiles
    ) throws(StoreError) -> Bool {
        guard wanted.archive == nil, files.size(ofGiven: path) == wanted.size else { return false }
        return try digest(of: path, wanted.digest.algorithm, lock, areGiven: true) == wanted.digest
    }

    /// One for each file, in their order.
    func results(of job: DigestJob, _ lock: StoreLock?) throws(StoreError) -> [DigestResult] {
        guard let first = job.files.first else { return [] }
        do {
            return try fetcher.digests(job, lock: lock?.descriptor ?? -1, cancellation: cancellation)
        } catch {
            throw error == .cancelled ? .cancelled : .notRead(path: first.path, error)
        }
    }
}

extension DigestResult {
    /// nil = the file changed while it was read.
    func digest(_ algorithm: Digest.Algorithm) throws(StoreError) -> Digest? {
        switch self {
        case .found(let hexadecimal): Digest(algorithm, hexadecimal)
        case .failed(let failure): throw .file(failure)
        case .changed: nil
        }
    }
}

extension StoreFiles {
    /// The length of a regular file of the user's; nil for anything else. Links are followed.
    func size(ofGiven path: String) -> Int64? {
        let status = try? status(of: path, followingLinks: true)
        return status.flatMap { $0.kind == .regular ? $0.size : nil }
    }

    /// Copies a file of the user's. A copy that was cancelled is not whole.
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
