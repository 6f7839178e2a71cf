import Synchronization

/// An additional session of a model, for concurrent runs.
///
/// A single run is fastest with all threads. Concurrent runs have a higher throughput if each has its own threads: two runs
/// with one thread each are 12 % faster than two consecutive runs with two threads, or two runs that share two threads. The
/// number of threads is fixed per session, so concurrency needs a second session. It is loaded from the cache, where the
/// weights are mapped and need no extra memory, and only after two runs have overlapped.
final class ConcurrentSession: Sendable {
    private struct State {
        var concurrentRuns = 0
        var session: SessionStages?
        var isUnavailable: Bool
    }

    /// The number of concurrent runs on the regular session before the additional session is created.
    private static let runsBeforeMaking = 1

    private let runs: RunCount
    private let make: @Sendable () -> SessionStages?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - runs: Counts the active runs of the entire model. Each part has its own sessions.
    ///   - make: Creates the session. It is not called again after it returns `nil`, and never if there is only one thread.
    init(
        threads: Int, among runs: RunCount, make: @escaping @Sendable () -> SessionStages?
    ) {
        self.runs = runs
        self.make = make
        state = Mutex(State(isUnavailable: threads < 2))
    }

    /// Counts a run that starts. Returns the session for the run; `nil` means the regular session. Call `leave` after the
    /// run.
    ///
    /// Callers wait while the session is being created.
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

    /// - Returns: The number of active runs, including the one that ends.
    func leave() -> Int { runs.end() }
}

/// The number of active runs of a model, over all its parts.
final class RunCount: Sendable {
    private let count = Atomic(0)

    /// - Returns: The number of active runs, including the one that starts.
    func begin() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// - Returns: The number of active runs, including the one that ends.
    func end() -> Int { count.subtract(1, ordering: .relaxed).oldValue }
}
