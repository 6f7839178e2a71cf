import Foundation
import SynthArchives
import SynthSystem

@testable import SynthCatalogue
@testable import SynthModelStore

/// Replaces the download program within this process, and serves the given bytes.
struct FakeFetcher: Fetcher {
    let contents: [String: [UInt8]]
    /// The file system for unpacking and digests; `nil` for the real file system.
    var files: (any StoreFiles)?

    func run(
        _ job: FetchJob, lock: Int32, cancellation: CancellationSignal, onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure) {
        let work = ArchiveWork(files: files)
        switch job {
        case .download(let job):
            try download(job, onEvent)
            work.finish(job, say: onEvent)
        case .unpack(let job): try work.run(job, say: onEvent)
        case .digest(let job): work.run(job, say: onEvent)
        }
    }

    /// Writes the part file, starting at the job's offset.
    private func download(_ job: DownloadJob, _ onEvent: (FetchEvent) -> Void) throws(FetchFailure) {
        guard let url = job.urls.first, let bytes = contents[url] else { throw .servers([]) }
        onEvent(.answered(tag: "\"v1\"", url: url))
        if !FileManager.default.fileExists(atPath: job.part) {
            _ = FileManager.default.createFile(atPath: job.part, contents: nil)
        }
        let failure = FetchFailure.part(FileFailure(.noAccess, call: "write", path: job.part), missing: job.size)
        guard let file = FileHandle(forWritingAtPath: job.part) else { throw failure }
        do {
            try file.truncate(atOffset: UInt64(job.offset))
            try file.write(contentsOf: Data(bytes.dropFirst(Int(job.offset))))
            try file.close()
        } catch {
            throw failure
        }
        onEvent(.progress(bytes: Int64(bytes.count)))
    }
}
