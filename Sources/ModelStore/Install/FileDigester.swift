import VoiceCatalogue

/// Has the digest of a file computed. Blocks.
struct FileDigester {
    let fetcher: any Fetcher
    let cancellation: CancellationSignal

    /// - Parameter areGiven: the user named the file, and links to it are followed.
    /// - Returns: nil = it changed meanwhile.
    func digest(
        of path: String, _ algorithm: Digest.Algorithm, _ lock: StoreLock, areGiven: Bool = false
    ) throws(StoreError) -> Digest? {
        let job = DigestJob(files: [DigestJob.File(path: path, algorithm: algorithm)], areGiven: areGiven)
        return try results(of: job, lock).first?.digest(algorithm)
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
    ///   - name: what the archive is called.
    ///   - path: where it lies.
    init(_ failure: FetchFailure, unpacking name: String, at path: String, isGiven: Bool) {
        switch failure {
        case .cancelled: self = .cancelled
        case .archive(.file(let failure)): self = .file(failure)
        case .archive(let refusal): self = .notUnpacked(archive: name, refusal, isGiven: isGiven)
        default: self = .notRead(path: path, failure)
        }
    }
}
