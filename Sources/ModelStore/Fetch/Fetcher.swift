import Glibc
import Synchronization
import System

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
