import Glibc
import Synchronization
package import SynthCatalogue
package import SynthSystem

/// A job for `synthhost-fetch`, which reads it from stdin as one line of JSON.
package enum FetchJob: Sendable, Equatable, Codable {
    case download(DownloadJob)
    case unpack(UnpackJob)
    case digest(DigestJob)
}

/// An event that `synthhost-fetch` reports on stdout as one line of JSON. The last event is `done` or `failed`.
package enum FetchEvent: Sendable, Equatable, Codable {
    /// A server has responded with the file. `tag` is the file's entity tag, if the tag is strong; with it, the same
    /// version can be requested again. `url` is one of the job's URLs.
    case answered(tag: String?, url: String)
    /// The size of the partial file, including resumed bytes.
    case progress(bytes: Int64)
    /// The partial file could not be resumed and was truncated.
    case restarting
    /// The transfer failed or stalled; it is retried after `seconds`.
    case retrying(FetchFailure, seconds: Double)
    /// All bytes have arrived; the digest is now being computed.
    case verifying
    case unpacked(UnpackedFile)
    /// The digest of the downloaded file, or of each file of a `DigestJob` in order.
    case digest(DigestResult)
    case done
    case failed(FetchFailure)
}

/// One file to download.
package struct DownloadJob: Sendable, Equatable, Codable {
    /// URLs for the same file, tried in this order.
    package var urls: [String]
    /// The path of the partial file to write to. It is kept after a failure.
    package var part: String
    /// The size of the complete file in bytes.
    package var size: Int64
    /// The number of bytes that `part` already contains; 0 truncates the file.
    package var offset: Int64 = 0
    /// The server's entity tag for the version to which the bytes in `part` belong.
    package var tag: String?
    /// The digest algorithm for the complete file; nil for no digest.
    package var algorithm: Digest.Algorithm?
    package var retries = RetryPolicy()
}

/// An archive to unpack into its own folder.
package struct UnpackJob: Sendable, Equatable, Codable {
    /// The path of the archive. Its format is detected from its contents.
    package var archive: String
    /// Whether the user specified the archive. If so, symbolic links to it are followed.
    package var isGiven = false
    /// The folder to create for the contents. Files left behind by a killed process are removed first.
    package var folder: String
    /// A folder below which changes do not follow links.
    package var root: String?
    /// The members to extract; folders end with a slash. nil to extract all.
    package var wanted: [String]?
    /// The allowed members, in the format of `wanted`; nil to allow any.
    package var announced: [String]?
    package var limits = ArchiveLimits()
    /// Whether to compute digests of the files.
    package var givesDigests = true
}

/// Limits for unpacked archives. An archive that exceeds them is considered malicious or faulty.
package struct ArchiveLimits: Sendable, Equatable, Codable {
    package var entries = 10_000
    /// The total unpacked size in bytes.
    package var total: Int64 = 8 << 30
    /// The maximum compression ratio: unpacked bytes per packed byte.
    package var ratio: Int64 = 200
    /// The maximum path length in bytes.
    package var nameLength = 1024
    /// The maximum folder depth.
    package var depth = 16

    package init() {}
}

/// A file that was unpacked from an archive.
package struct UnpackedFile: Sendable, Equatable, Codable {
    /// The path relative to the target folder.
    package let path: String
    /// The size in bytes.
    package let size: Int64
    /// The digest in hexadecimal; nil if no digests were requested.
    package let sha256: String?

    package init(path: String, size: Int64, sha256: String?) {
        self.path = path
        self.size = size
        self.sha256 = sha256
    }
}

/// A request for the digests of files.
package struct DigestJob: Sendable, Equatable, Codable {
    /// A file and the digest algorithm to use.
    package struct File: Sendable, Hashable, Codable {
        package var path: String
        package var algorithm: Digest.Algorithm
    }

    package var files: [File]
    /// Whether the user specified the files. If so, symbolic links to them are followed.
    package var areGiven = false
}

/// The result for one file of a `DigestJob`.
package enum DigestResult: Sendable, Equatable, Codable {
    /// The digest in hexadecimal.
    case found(String)
    /// The file's size changed while it was being read.
    case changed
    case failed(FileFailure)
}

/// Downloads files, unpacks archives and computes digests for the store.
package protocol Fetcher: Sendable {
    /// Runs a job, blocking until it is done. `onEvent` is called on the same thread, but not for `done` and `failed`.
    ///
    /// - Parameter lock: a descriptor for the entry's lock, which a child process inherits; -1 for none.
    func run(
        _ job: FetchJob, lock: Int32, cancellation: CancellationSignal, onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure)
}

extension Fetcher {
    /// Unpacks an archive and returns its files. After an error, the target folder may exist and may be incomplete.
    func unpack(
        _ job: UnpackJob, lock: Int32, cancellation: CancellationSignal, onVerifying: () -> Void = {}
    ) throws(FetchFailure) -> [UnpackedFile] {
        var files: [UnpackedFile] = []
        try run(.unpack(job), lock: lock, cancellation: cancellation) { event in
            switch event {
            case .unpacked(let file): files.append(file)
            case .verifying: onVerifying()
            // The job starts over.
            case .retrying: files = []
            default: break
            }
        }
        return files
    }
}

/// A cancellation flag that wakes threads polling its descriptor.
package final class CancellationSignal: Sendable {
    /// Wakes the threads. nil if no file descriptor was available, in which case a cancellation is noticed at the next
    /// check.
    private let wakeUp = try? WakeUp()
    private let isSet = Atomic(false)

    package init() {}

    /// Becomes readable after cancellation; -1, which `poll` ignores, if there is no file descriptor.
    var descriptor: Int32 { wakeUp?.descriptor.raw ?? -1 }

    package var isCancelled: Bool { isSet.load(ordering: .acquiring) }

    package func cancel() {
        isSet.store(true, ordering: .releasing)
        wakeUp?.signal()
    }
}
