public import Dispatch
import Synchronization

/// A session of a model for the life of an engine: first of the model as it is published, and after its first use of the
/// form that was then put into the cache.
public final class CachedSession: Sendable {
    private struct State {
        var latest: InferenceSession
        /// Somebody opens, or has opened, the form in the cache.
        var isRenewed = false
    }
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
            let isOutdated = !state.isRenewed && state.latest.isRenewable
            state.isRenewed = state.isRenewed || isOutdated
            return (state.latest, isOutdated)
        }
        // Opened without the lock, so that nobody waits for it.
        guard isOutdated, let renewed = session.renewed() else { return session }
        state.withLock { $0.latest = renewed }
        return renewed
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
