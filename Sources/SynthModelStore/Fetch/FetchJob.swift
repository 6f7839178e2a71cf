import Glibc
import Synchronization
package import SynthCatalogue
package import SynthSystem

/// What `synthhost-fetch` must do. It reads this from stdin as one line of JSON.
package enum FetchJob: Sendable, Equatable, Codable {
    case download(DownloadJob)
    case unpack(UnpackJob)
    case digest(DigestJob)
}

/// What `synthhost-fetch` reports on stdout, one line of JSON each. The last is `done` or `failed`.
package enum FetchEvent: Sendable, Equatable, Codable {
    /// A server answers with the file. `tag` is its entity tag, if it is strong, so that the same version can be
    /// requested again. `url` is one of the job's.
    case answered(tag: String?, url: String)
    /// The part file has this many bytes, the resumed ones included.
    case progress(bytes: Int64)
    /// The part file could not be resumed and is empty now.
    case restarting
    /// Nothing arrives; the next request follows after `seconds`.
    case retrying(FetchFailure, seconds: Double)
    /// All bytes are here; the digests are computed now.
    case verifying
    /// A file was unpacked.
    case unpacked(UnpackedFile)
    /// The digest of the downloaded file, or one for each file of a `DigestJob`, in their order.
    case digest(DigestResult)
    case done
    case failed(FetchFailure)
}

/// One file to download.
package struct DownloadJob: Sendable, Equatable, Codable {
    /// All give the same bytes. They are tried in this order.
    package var urls: [String]
    /// The file that the bytes are written to. Kept after a failure.
    package var part: String
    /// Of the whole file, in bytes.
    package var size: Int64
    /// The bytes that `part` has already; 0 empties it.
    package var offset: Int64
    /// The server's entity tag for the version that the bytes in `part` belong to.
    package var tag: String?
    /// For the digest of the complete file, the raw value of a `Digest.Algorithm`; nil = no digest.
    package var algorithm: String?
    package var retries: RetryPolicy

    package init(
        urls: [String], part: String, size: Int64, offset: Int64 = 0, tag: String? = nil,
        algorithm: Digest.Algorithm? = nil, retries: RetryPolicy = RetryPolicy()
    ) {
        self.urls = urls
        self.part = part
        self.size = size
        self.offset = offset
        self.tag = tag
        self.algorithm = algorithm?.rawValue
        self.retries = retries
    }
}

/// One archive to unpack into a folder of its own.
package struct UnpackJob: Sendable, Equatable, Codable {
    /// Its path. Its kind follows from its content.
    package var archive: String
    /// Whether the user named it. If so, links to it are followed.
    package var isGiven: Bool
    /// Made for it. What a killed process left there is removed first.
    package var folder: String
    /// Nothing below it is changed through a link.
    package var root: String?
    /// The members to keep, folders with a slash at the end; `nil` = all.
    package var wanted: [String]?
    /// The members that are allowed, in the same form; `nil` = any.
    package var announced: [String]?
    package var limits: ArchiveLimits
    /// Whether the digests of the files are computed.
    package var givesDigests: Bool

    package init(
        archive: String, isGiven: Bool = false, folder: String, root: String?,
        contents: ArchiveContents = ArchiveContents(), limits: ArchiveLimits = ArchiveLimits(),
        givesDigests: Bool = true
    ) {
        self.archive = archive
        self.isGiven = isGiven
        self.folder = folder
        self.root = root
        wanted = contents.roles.isEmpty ? nil : Array(contents.roles.values)
        announced = contents.members
        self.limits = limits
        self.givesDigests = givesDigests
    }
}

/// How much an archive may unpack to. Beyond that it counts as an attack or a mistake.
package struct ArchiveLimits: Sendable, Equatable, Codable {
    package var entries = 10_000
    /// In bytes.
    package var total: Int64 = 8 << 30
    /// Unpacked bytes for each packed byte.
    package var ratio: Int64 = 200
    /// Of a whole path, in bytes.
    package var nameLength = 1024
    /// Folders inside folders.
    package var depth = 16

    package init() {}
}

/// A file that was unpacked from an archive.
package struct UnpackedFile: Sendable, Equatable, Codable {
    /// Relative to the folder that was unpacked to.
    package let path: String
    /// In bytes.
    package let size: Int64
    /// Hexadecimal; `nil` if no digests were requested.
    package let sha256: String?

    package init(path: String, size: Int64, sha256: String?) {
        self.path = path
        self.size = size
        self.sha256 = sha256
    }
}

/// Files to compute the digests of.
package struct DigestJob: Sendable, Equatable, Codable {
    package struct File: Sendable, Hashable, Codable {
        package var path: String
        /// The raw value of a `Digest.Algorithm`.
        package var algorithm: String

        package init(path: String, algorithm: Digest.Algorithm) {
            self.path = path
            self.algorithm = algorithm.rawValue
        }
    }

    package var files: [File]
    /// Whether the user named them. If so, links to them are followed.
    package var areGiven: Bool

    package init(files: [File], areGiven: Bool = false) {
        self.files = files
        self.areGiven = areGiven
    }
}

/// The result for one file of a `DigestJob`.
package enum DigestResult: Sendable, Equatable, Codable {
    /// Hexadecimal.
    case found(String)
    /// Its size changed while it was read.
    case changed
    case failed(FileFailure)
}

/// Downloads, unpacks and computes digests for the store.
package protocol Fetcher: Sendable {
    /// Returns when the job is done. Blocks. `onEvent` is called on the same thread, but not for `done` and `failed`.
    ///
    /// - Parameter lock: a descriptor of the entry's lock, which a child process keeps open too; -1 = none.
    func run(
        _ job: FetchJob, lock: Int32, cancellation: CancellationSignal, onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure)
}

extension Fetcher {
    /// The files of an archive. After an error its folder may exist, complete or not.
    func unpack(
        _ job: UnpackJob, lock: Int32, cancellation: CancellationSignal, onVerifying: () -> Void = {}
    ) throws(FetchFailure) -> [UnpackedFile] {
        var files: [UnpackedFile] = []
        try run(.unpack(job), lock: lock, cancellation: cancellation) { event in
            switch event {
            case .unpacked(let file): files.append(file)
            case .verifying: onVerifying()
            // The job starts again from the beginning.
            case .retrying: files = []
            default: break
            }
        }
        return files
    }

    /// One result for each file, in their order.
    func digests(_ job: DigestJob, lock: Int32, cancellation: CancellationSignal) throws(FetchFailure) -> [DigestResult]
    {
        var results: [DigestResult] = []
        try run(.digest(job), lock: lock, cancellation: cancellation) { event in
            switch event {
            case .digest(let result): results.append(result)
            case .retrying: results = []
            default: break
            }
        }
        // Otherwise a file without a result would count as sound.
        guard results.count == job.files.count else { throw .died }
        return results
    }
}

/// A request to stop, which wakes the threads that poll on it.
package final class CancellationSignal: Sendable {
    /// nil if the system has no descriptor left; then a request is noticed at the next check.
    private let wakeUp = try? WakeUp()
    private let isSet = Atomic(false)

    package init() {}

    /// Readable once cancelled. `poll` ignores it if it is -1.
    var descriptor: Int32 { wakeUp?.descriptor.raw ?? -1 }

    package var isCancelled: Bool { isSet.load(ordering: .acquiring) }

    package func cancel() {
        isSet.store(true, ordering: .releasing)
        wakeUp?.signal()
    }
}
