import Glibc

/// Mutex-protected state with a condition variable: threads and tasks can wait until the state satisfies a condition.
package final class Monitor<State>: @unchecked Sendable {
    // The mutex and the condition variable have stable addresses, are initialized once and are used only in this class.
    // All other properties are accessed only while `mutex` is locked.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State
    /// Waiting tasks. They check the state again when woken.
    private var tasks: [CheckedContinuation<Void, Never>] = []

    package init(_ state: sending State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Changes the state and wakes all waiting threads and tasks.
    @discardableResult
    package func update<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> sending Result) throws(Failure)
        -> sending Result
    {
        pthread_mutex_lock(mutex)
        defer { unlockAndWake() }
        return try body(&state)
    }

    /// Reads the state.
    package func read<Result, Failure: Error>(_ body: (State) throws(Failure) -> sending Result) throws(Failure)
        -> sending Result
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(state)
    }

    /// Waits until `body` returns a result, and returns that result; returns nil if the timeout expires first. `body`
    /// may change the state. It is called again after each `update`; when it returns a result, other waiters are woken.
    package func wait<Result, Failure: Error>(
        timeout: Duration? = nil, until body: (inout State) throws(Failure) -> sending Result?
    ) throws(Failure) -> sending Result? {
        let deadline = timeout.map(Self.deadline(after:))
        pthread_mutex_lock(mutex)
        defer { unlockAndWake() }
        while true {
            if let result = try body(&state) { return result }
            if var deadline {
                if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT { return try body(&state) }
            } else {
                pthread_cond_wait(changed, mutex)
            }
        }
    }

    /// Suspends until the state satisfies a condition, or the task is cancelled.
    package func suspend(
        isolation: isolated (any Actor)? = #isolation, until isReady: (State) -> Bool
    ) async {
        while !Task.isCancelled, !read({ isReady($0) }) {
            await withTaskCancellationHandler {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    pthread_mutex_lock(mutex)
                    let waits = !Task.isCancelled && !isReady(state)
                    if waits { tasks.append(continuation) }
                    pthread_mutex_unlock(mutex)
                    if !waits { continuation.resume() }
                }
            } onCancel: {
                update { _ in }
            }
        }
    }

    private func unlockAndWake() {
        let woken = tasks
        tasks = []
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
        for task in woken { task.resume() }
    }

    private static func deadline(after duration: Duration) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = min(duration, .seconds(1 << 32)).components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }
}

/// The state of work that another thread can cancel.
package protocol CancellableState {
    var isCancelled: Bool { get }
    /// Stops the work.
    var stop: (@Sendable () -> Void)? { get set }
}

extension Monitor where State: CancellableState {
    /// Registers a callback that stops the work. It is called immediately if the work has already been cancelled.
    package func stopping(by stop: @escaping @Sendable () -> Void) {
        let isCancelled = update { state in
            state.stop = stop
            return state.isCancelled
        }
        if isCancelled { stop() }
    }
}

/// A lock for long operations. To protect state, use `Monitor`.
package final class Lock: Sendable {
    private let monitor = Monitor<Void>(())

    package init() {}

    /// Runs the body while no other thread holds the lock.
    package func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try monitor.read { _ throws(Failure) in try body() }
    }
}

/// A shared limit on the amount of a resource that is in use, such as bytes or slots. Thread-safe.
package final class Budget: Sendable {
    private let limit: Int
    private let state = Monitor(0)

    package init(limit: Int) { self.limit = limit }

    /// The amount in use.
    package var taken: Int { state.read { $0 } }

    /// Blocks until the amount in use is exactly `count`. For tests.
    package func waitForTaken(_ count: Int) { _ = state.wait { $0 == count ? true : nil } }

    /// Reserves an amount and returns true, or returns false if too little is available. Release the amount with
    /// ``release(_:)``.
    package func take(_ count: Int) -> Bool {
        state.update { taken in
            guard count <= limit - taken else { return false }
            taken += count
            return true
        }
    }

    package func release(_ count: Int) { state.update { $0 -= count } }
}
