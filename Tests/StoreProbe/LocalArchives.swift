import SynthArchives
import SynthModelStore

/// Downloads with the download program, but unpacks archives and computes digests in this process, so that it can be
/// killed at any file system call.
struct LocalArchives: Fetcher {
    let program: FetchProgram
    let files: any StoreFiles

    func run(
        _ job: FetchJob, lock: Int32, cancellation: CancellationSignal, onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure) {
        let work = ArchiveWork(files: files)
        switch job {
        case .download(let job):
            var download = job
            download.algorithm = nil
            try program.run(.download(download), lock: lock, cancellation: cancellation, onEvent: onEvent)
            work.finish(job, say: onEvent)
        case .unpack(let job): try work.run(job, say: onEvent)
        case .digest(let job): work.run(job, say: onEvent)
        }
    }
}
