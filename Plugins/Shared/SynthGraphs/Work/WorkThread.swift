public import Dispatch
import Glibc
import Synchronization

/// Threads that end as soon as their work is done. Dispatch would keep its threads alive for a while, even after the
/// engine is unloaded.
public enum WorkThread {
    private final class Work: Sendable {
        private let body: Mutex<(@Sendable () -> Void)?>

        init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

        /// Runs the body and, before returning, releases everything that it captured.
        func run() {
            let body = self.body.withLock { body in
                defer { body = nil }
                return body
            }
            body?()
        }
    }

    /// Runs `body` on a new thread. Returns false, without running `body`, if no thread can be created.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { pointer in
                if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Runs `body` on a new thread that belongs to the group and leaves the group once everything that `body` captured
    /// has been released. Returns false if no thread can be created.
    @discardableResult
    public static func start(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) -> Bool {
        group.enter()
        let work = Work(body)
        let isStarted = start {
            work.run()
            group.leave()
        }
        if !isStarted { group.leave() }
        return isStarted
    }
}

/// A value that is computed on a separate thread. The owner must read the value before releasing this object.
package final class WorkResult<Value: Sendable>: Sendable {
    private let body: @Sendable () -> Value
    private let found = Mutex<Value?>(nil)
    private let group = DispatchGroup()

    package init(_ body: @escaping @Sendable () -> Value) {
        self.body = body
        WorkThread.start(in: group) { [self] in
            let value = body()
            found.withLock { $0 = value }
        }
    }

    /// Waits for the value. If no thread could be created, computes it on the calling thread.
    package var value: Value {
        group.wait()
        return found.withLock { found in
            let value = found ?? body()
            found = value
            return value
        }
    }
}
