package import ModelStore
import System
import VoiceCatalogue

/// Does the jobs that need no network and reports their events, except the last one. Everything blocks.
package struct ArchiveWork {
    private let files: (any StoreFiles)?

    /// - Parameter files: nil = this machine's files.
    package init(files: (any StoreFiles)? = nil) { self.files = files }

    package func run(_ job: UnpackJob, say: (FetchEvent) -> Void) throws(FetchFailure) {
        let files = files ?? SystemFiles(root: job.root)
        do {
            try unpack(job, files, say)
        } catch {
            try? files.removeAll(job.folder)
            throw .archive(error)
        }
    }

    private func unpack(
        _ job: UnpackJob, _ files: any StoreFiles, _ say: (FetchEvent) -> Void
    ) throws(ArchiveRefusal) {
        try rethrowing(files.removeAll(job.folder), as: ArchiveRefusal.file)
        let paths = try Unpacker(files: files, limits: job.limits).unpack(job)
        if job.givesDigests { say(.verifying) }
        for path in paths {
            let whole = job.folder.child(path)
            do {
                let size = try files.status(of: whole).size
                let digest = job.givesDigests ? try FileDigest.compute(.sha256, of: whole, files) : nil
                say(.unpacked(UnpackedFile(path: path, size: size, sha256: digest?.hexadecimal)))
            } catch {
                throw .file(error)
            }
        }
    }

    package func run(_ job: DigestJob, say: (FetchEvent) -> Void) {
        for file in job.files {
            say(.digest(result(file.path, file.algorithm, job.areGiven ? .given : .reading)))
        }
    }

    /// Computes the digest of a downloaded file, if the job asks for one.
    package func finish(_ job: DownloadJob, say: (FetchEvent) -> Void) {
        guard let algorithm = job.algorithm else { return }
        say(.verifying)
        say(.digest(result(job.part, algorithm, .reading)))
    }

    private func result(_ path: String, _ algorithm: String, _ purpose: OpenPurpose) -> DigestResult {
        do {
            let digest = try FileDigest.compute(
                Digest.Algorithm(rawValue: algorithm) ?? .sha256, of: path, files ?? SystemFiles(), for: purpose)
            return digest.map { .found($0.hexadecimal) } ?? .changed
        } catch {
            return .failed(error)
        }
    }
}
