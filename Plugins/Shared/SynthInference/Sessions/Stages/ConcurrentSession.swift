import Synchronization

/// A second session of a model, for concurrent runs.
///
/// A single run is fastest with all threads. Concurrent runs have a higher throughput if each has its own threads: two runs with
/// one thread each are 12 % faster than one run with two threads, or than two runs that share two. The number of threads belongs
/// to a session, so this is an additional one. It is loaded from the cache, where the weights are mapped and need no additional
/// memory, and only after two concurrent runs have shown that it is worth its cost.
final class ConcurrentSession: Sendable {
    private struct State {
        var concurrentRuns = 0
        var session: SessionStages?
        var isUnavailable: Bool
    }

    /// The number of concurrent runs on the regular session before this one is created.
    private static let runsBeforeMaking = 1

    private let runs: RunCount
    private let make: @Sendable () -> SessionStages?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - runs: The active runs of the whole model. Each part has its own sessions.
    ///   - make: Creates the session. It is not called again after it returns `nil`, nor if there is only one thread.
    init(
        threads: Int, among runs: RunCount, make: @escaping @Sendable () -> SessionStages?
    ) {
        self.runs = runs
        self.make = make
        state = Mutex(State(isUnavailable: threads < 2))
    }

    /// Counts a run that starts. Returns the session for it, or `nil` for the regular one. Call `leave` after the run.
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

/// The number of active runs of a model, in all its parts.
final class RunCount: Sendable {
    private let count = Atomic(0)

    /// - Returns: The number of active runs, including the one that starts.
    func begin() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// - Returns: The number of active runs, including the one that ends.
    func end() -> Int { count.subtract(1, ordering: .relaxed).oldValue }
}
