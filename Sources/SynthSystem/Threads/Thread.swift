import CSynthLinux
import Glibc

/// `startThread`, or its replacement in a test.
package typealias ThreadStart = @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool

/// Runs `body` on a thread of its own, for work that blocks. False if the system has no thread left.
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
    // Naming another thread writes a file, which a confined process may not.
    linux_name_thread(pthread_self(), body.name)
    body.run()
    return nil
}

/// Runs `body` on a thread of its own and suspends until it returns: the threads of Swift's cooperative pool are few
/// and must not block. If the system has no thread left, the body runs on the caller's thread.
package func onThread<Value: Sendable>(_ name: String, _ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let work: @Sendable () -> Void = { continuation.resume(returning: body()) }
        if !startThread(name, work) { work() }
    }
}

/// A clock that stands still while this process does not run. A limit must not count the time in which a laptop sleeps,
/// or in which the whole process tree is stopped: the process that the host waits for did not run either.
///
/// It must be read at least once in each `longestStep`: of a longer time between two readings, only that much is
/// counted.
package struct RunningClock: Sendable {
    package static let longestStep = Duration.milliseconds(250)

    private var lastReading: ContinuousClock.Instant
    private var missed = Duration.zero

    package init(startingAt now: ContinuousClock.Instant = .now) { lastReading = now }

    /// - Parameter real: the time that also passes while nothing runs.
    package mutating func now(_ real: ContinuousClock.Instant = .now) -> ContinuousClock.Instant {
        missed += max(.zero, real - lastReading - Self.longestStep)
        lastReading = real
        return real - missed
    }
}
