import Glibc
import Synchronization
import System

extension StoreLock {
    /// Takes the lock, waiting for whoever has it until `cancellation`. Blocks.
    ///
    /// The kernel's wait cannot be called off, so a thread of its own waits; after a cancellation it is left behind and
    /// gives the lock back when it gets it.
    static func takeWaiting(
        _ folder: String, _ files: any StoreFiles, _ cancellation: CancellationSignal
    ) throws(StoreError) -> StoreLock {
        let arrived = CancellationSignal()
        let shared = Shared()
        let wait: @Sendable () -> Void = {
            do throws(FileFailure) {
                if case .taken(let lock) = try take(folder, waiting: true, files) { shared.put(.success(lock)) }
            } catch {
                shared.put(.failure(error))
            }
            arrived.cancel()
        }
        // Without a thread there is no calling it off.
        if !startThread("store-lock", wait) { wait() }
        while !arrived.isCancelled, !cancellation.isCancelled {
            _ = try? Poll.wait([arrived, cancellation].map { ($0.descriptor, events: POLLIN) })
        }
        switch shared.take() {
        case .success(let lock) where !cancellation.isCancelled: return lock
        case .failure(let failure): throw .file(failure)
        default: throw .cancelled
        }
    }

    private final class Shared: Sendable {
        private let value = Mutex<Result<StoreLock, FileFailure>?>(nil)

        func put(_ result: Result<StoreLock, FileFailure>) { value.withLock { $0 = result } }

        func take() -> Result<StoreLock, FileFailure>? {
            value.withLock { value in
                defer { value = nil }
                return value
            }
        }
    }
}
