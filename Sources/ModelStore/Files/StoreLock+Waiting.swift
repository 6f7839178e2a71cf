import Glibc
import Synchronization
import System

extension StoreLock {
    /// Takes the lock, and waits for its holder until `cancellation`. Blocks.
    ///
    /// The kernel's wait cannot be cancelled, so a separate thread waits. After a cancellation that thread goes on
    /// waiting, and releases the lock as soon as it gets it.
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
        // Without a thread the wait cannot be cancelled.
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
