import CSynthLinux
import Glibc

/// The type of `startThread`, which tests replace.
package typealias ThreadStart = @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool

/// Runs `body`, which may block, on a new thread. Returns false if the system allows no more threads.
@discardableResult
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    let start = Unmanaged.passRetained(ThreadBody(name, body))
    var thread = pthread_t()
    let failure = pthread_create(&thread, nil, runThread, start.toOpaque())
    guard failure == 0 else {
        start.release()
        return false
    }
    pthread_detach(thread)
    return true
}

private final class ThreadBody: Sendable {
    let name: String
    let run: @Sendable () -> Void
    init(_ name: String, _ run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let body = Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
    // The thread names itself, because naming another thread requires writing a file, which a confined process may not
    // do.
    linux_name_thread(pthread_self(), body.name)
    body.run()
    return nil
}

/// Runs `body` on a new thread and suspends until it returns, because Swift's cooperative pool has few threads, which
/// must not block. If the system allows no more threads, the body runs on the caller's thread.
package func onThread<Value: Sendable, Failure>(
    _ name: String, _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        let work: @Sendable () -> Void = { continuation.resume(returning: Result(catching: body)) }
        if !startThread(name, work) { work() }
    }
    return try result.get()
}

/// A clock that pauses while this process is not running. Timeouts must exclude time during which a laptop sleeps or
/// the entire process tree is stopped, because the awaited process is not running then either.
///
/// Read the clock at least once per `longestStep`; a longer interval between two readings counts as `longestStep`.
package struct RunningClock: Sendable {
    package static let longestStep = Duration.milliseconds(250)

    private var lastReading: ContinuousClock.Instant
    private var missed = Duration.zero

    package init(startingAt now: ContinuousClock.Instant = .now) { lastReading = now }

    /// - Parameter real: a time that also advances while the process is not running.
    package mutating func now(_ real: ContinuousClock.Instant = .now) -> ContinuousClock.Instant {
        missed += max(.zero, real - lastReading - Self.longestStep)
        lastReading = real
        return real - missed
    }
}
