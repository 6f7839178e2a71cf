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
        do throws(FetchFailure) {
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

extension StoreError {
    /// - Parameters:
    ///   - name: the archive's name.
    ///   - path: its path.
    init(_ failure: FetchFailure, unpacking name: String, at path: String, isGiven: Bool) {
        switch failure {
        case .cancelled: self = .cancelled
        case .archive(.file(let failure)): self = .file(failure)
        case .archive(let refusal): self = .notUnpacked(archive: name, refusal, isGiven: isGiven)
        default: self = .notRead(path: path, failure)
        }
    }
}
