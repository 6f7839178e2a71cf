import CONNXRuntime
import Synchronization

/// A second session of a model, for concurrent runs.
///
/// One run is fastest with all threads. Concurrent runs do more work if each has threads of its own: two with one
/// thread each speak 12 % more than one with two, or than two that share two. The number of threads belongs to a
/// session, so this is another one. It is loaded from the cache, where the weights are mapped and need no memory a
/// second time, and only after several concurrent runs have shown that it is worth its time.
final class ConcurrentSession: Sendable {
    private struct State {
        var running = 0
        var concurrentRuns = 0
        var session: OpaquePointer?
        var isUnavailable: Bool
    }

    /// Concurrent runs that use the usual session before this one is made.
    private static let runsBeforeMaking = 3

    private let runtime: InferenceRuntime
    private let make: @Sendable () -> OpaquePointer?
    private let state: Mutex<State>

    /// - Parameter make: Makes the session. It is not called again after it returns `nil`, nor if there is only one
    ///   thread.
    init(_ runtime: InferenceRuntime, threads: Int, make: @escaping @Sendable () -> OpaquePointer?) {
        self.runtime = runtime
        self.make = make
        state = Mutex(State(isUnavailable: threads < 2))
    }

    deinit {
        state.withLock { state in
            if let session = state.session { runtime.api.ReleaseSession(session) }
        }
    }

    /// Counts a run that begins. Returns the session for it, or `nil` for the usual one. Call `leave` after the run.
    ///
    /// Callers wait while the session is being made.
    func enter() -> OpaquePointer? {
        state.withLock { state in
            state.running += 1
            guard state.running > 1 else { return nil }
            state.concurrentRuns += 1
            if state.session == nil, !state.isUnavailable, state.concurrentRuns > Self.runsBeforeMaking {
                state.session = make()
                state.isUnavailable = state.session == nil
            }
            return state.session
        }
    }

    /// - Returns: How many runs were under way, including the one that ends.
    func leave() -> Int {
        state.withLock { state in
            defer { state.running -= 1 }
            return state.running
        }
    }
}
