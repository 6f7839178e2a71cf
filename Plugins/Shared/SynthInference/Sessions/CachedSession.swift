public import Dispatch
import Synchronization
public import SynthGraphRewriting
public import SynthGraphs

/// A session of a model for the life of an engine: first of the model as it is published, and after its first use of the
/// form that was then put into the cache.
public final class CachedSession: Sendable {
    private struct State {
        var latest: InferenceSession
        /// Somebody opens the form in the cache.
        var isOpening = false
        var attempts = 0
    }
    /// To open the form in the cache: memory may be short for a moment, but what fails each time costs time.
    private static let mostAttempts = 3

    private let state: Mutex<State>

    /// Parameters as for `InferenceSession`.
    public init(
        model path: String, exposing operation: String, threads: Int, cacheDirectory: String?,
        rewrittenAs kind: RewriteKind
    ) throws(InferenceError) {
        let session = try InferenceSession(
            model: path, exposing: operation, threads: threads, cacheDirectory: cacheDirectory, rewrittenAs: kind)
        state = Mutex(State(latest: session))
    }

    /// The one to use for the next request. If there is now a faster form, the caller that asks first opens it, which takes
    /// some hundredths of a second: a process that ends after its first utterance never needs it.
    public var session: InferenceSession {
        let (session, isOutdated) = state.withLock { state in
            let isOutdated = !state.isOpening && state.attempts < Self.mostAttempts && state.latest.isRenewable
            if isOutdated { (state.isOpening, state.attempts) = (true, state.attempts + 1) }
            return (state.latest, isOutdated)
        }
        guard isOutdated else { return session }
        // Opened without the lock, so that nobody waits for it.
        let renewed = session.renewed()
        return state.withLock { state in
            state.isOpening = false
            if let renewed { state.latest = renewed }
            return state.latest
        }
    }

    /// Has the form in the cache rewritten, as `InferenceSession.rewrite` does.
    ///
    /// - Parameters:
    ///   - debug: Gets what became of it, on another thread.
    ///   - warning: Gets it instead if the check failed.
    public func rewrite(
        checkedBy check: RewriteCheck, debug: @escaping @Sendable (String) -> Void,
        warning: @escaping @Sendable (String) -> Void
    ) {
        session.rewrite(checkedBy: check) { outcome in
            (outcome.kind == .failed ? warning : debug)(outcome.note)
        }
    }

    /// Waits until the form that this session writes is in the cache, if it writes one. A process that may end after its first
    /// utterance calls this before it reports the end of that utterance, or the cache would never be finished. It may take
    /// seconds.
    ///
    /// - Parameter over: Signal it to end the waiting; then the form is still made.
    public func finishCache(_ session: InferenceSession, until over: DispatchSemaphore) {
        if !session.isFromCache { session.finishCache(until: over) }
    }
}
