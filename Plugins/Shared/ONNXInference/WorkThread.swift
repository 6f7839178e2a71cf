public import Dispatch
import Glibc

/// Threads that end when their work is done. Those of Dispatch stay for a while, even after an engine is unloaded.
public enum WorkThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread. If no thread can be made, returns false and does not run `body`.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { pointer in
                if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Runs `body` on a new thread that belongs to the group. Returns false as above.
    @discardableResult
    public static func start(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) -> Bool {
        group.enter()
        let isStarted = start {
            body()
            group.leave()
        }
        if !isStarted { group.leave() }
        return isStarted
    }
}
