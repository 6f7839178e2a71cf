import CONNXRuntime
import Synchronization

/// A second session of a model, for runs that come at the same time.
///
/// One run is over soonest with all threads at its service. Runs beside each other get more done where each keeps to its
/// own: two with one thread each speak 12 % more than one with two, or than two that share two. The number of threads
/// belongs to a session, so this is another one. It is made of the cache, where the weights are mapped and cost no
/// memory a second time, and only once it is plain that it is worth the time that it takes.
final class ConcurrentSession: Sendable {
    private struct State {
        var running = 0
        var concurrentRuns = 0
        var session: OpaquePointer?
        var isUnavailable: Bool
    }

    /// Concurrent runs before the session is made.
    private static let runsBeforeMaking = 3

    private let runtime: InferenceRuntime
    private let make: @Sendable () -> OpaquePointer?
    private let state: Mutex<State>

    /// - Parameter make: Makes the session, from which `nil` is for good. Not called where it would bring nothing.
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

    /// The session for the run that begins, where it is not to be the usual one. `leave` follows in any case.
    ///
    /// Who comes while it is being made waits for it.
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

    /// - Returns: how many runs were under way, the one that ends among them.
    func leave() -> Int {
        state.withLock { state in
            defer { state.running -= 1 }
            return state.running
        }
    }
}
