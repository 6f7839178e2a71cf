import Synchronization

/// An additional session of a model, for concurrent runs.
///
/// A single run is fastest if it uses all threads. Concurrent runs achieve a higher throughput if each has its own
/// threads: two concurrent runs with one thread each are 12% faster than two consecutive runs with two threads each or
/// two concurrent runs that share two threads. The number of threads is fixed per session, so concurrency requires a
/// second session, which is loaded only when runs overlap for the second time. Its weights are mapped from the cache,
/// so they need no extra memory.
final class ConcurrentSession: Sendable {
    private struct State {
        var concurrentRuns = 0
        var session: SessionStages?
        var isUnavailable: Bool
    }

    /// The number of overlapping runs that use the regular session before the additional session is created.
    private static let runsBeforeMaking = 1

    private let runs: RunCount
    private let make: @Sendable () -> SessionStages?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - runs: Counts the active runs of the entire model, each of whose parts has its own sessions.
    ///   - make: Creates the session. It is not called again after it has returned `nil`, and it is never called if
    ///     there is only one thread.
    init(
        threads: Int, among runs: RunCount, make: @escaping @Sendable () -> SessionStages?
    ) {
        self.runs = runs
        self.make = make
        state = Mutex(State(isUnavailable: threads < 2))
    }

    /// Increments the number of active runs. Returns the session for the run, or `nil` to use the regular session. Call
    /// `leave` after the run.
    ///
    /// Blocks while the additional session is being created.
    func enter() -> SessionStages? {
        guard runs.begin() > 1 else { return nil }
        return state.withLock { state in
            state.concurrentRuns += 1
            if state.session == nil, !state.isUnavailable, state.concurrentRuns > Self.runsBeforeMaking {
                state.session = make()
                state.isUnavailable = state.session == nil
            }
            return state.session
        }
    }

    /// - Returns: The number of active runs, including the run that is ending.
    func leave() -> Int { runs.end() }
}

/// The number of active runs of a model, including all of its parts.
final class RunCount: Sendable {
    private let count = Atomic(0)

    /// - Returns: The number of active runs, including the run that is starting.
    func begin() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// - Returns: The number of active runs, including the run that is ending.
    func end() -> Int { count.subtract(1, ordering: .relaxed).oldValue }
}
