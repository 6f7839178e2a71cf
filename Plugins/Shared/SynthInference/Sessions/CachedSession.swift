public import Dispatch
import Synchronization
public import SynthGraphRewriting
public import SynthGraphs

/// A model's session for the lifetime of an engine. It runs the published model first and switches to the optimized
/// variant once that variant is in the cache.
public final class CachedSession: Sendable {
    private struct State {
        var latest: InferenceSession
        /// Whether a caller is opening the cached variant.
        var isOpening = false
        var attempts = 0
    }
    /// The maximum number of attempts to open the cached variant. A memory shortage may be temporary, but each failed
    /// attempt takes time.
    private static let maximumAttempts = 3

    private let state: Mutex<State>

    /// See `InferenceSession` for the parameters.
    public init(
        model path: String, exposing operation: String, threads: Int, cacheDirectory: String?,
        rewrittenAs kind: RewriteKind
    ) throws(InferenceError) {
        let session = try InferenceSession(
            model: path, exposing: operation, threads: threads, cacheDirectory: cacheDirectory, rewrittenAs: kind)
        state = Mutex(State(latest: session))
    }

    /// The session for the next request. When a faster variant becomes available, the first caller opens it, which
    /// takes tens of milliseconds. A process that exits after its first utterance never opens it.
    public var session: InferenceSession {
        let (session, isOutdated) = state.withLock { state in
            let isOutdated = !state.isOpening && state.attempts < Self.maximumAttempts && state.latest.isRenewable
            if isOutdated { (state.isOpening, state.attempts) = (true, state.attempts + 1) }
            return (state.latest, isOutdated)
        }
        guard isOutdated else { return session }
        // Open the session without holding the lock so that other callers do not have to wait.
        let renewed = session.renewed()
        return state.withLock { state in
            state.isOpening = false
            if let renewed { state.latest = renewed }
            return state.latest
        }
    }

    /// Rewrites the cached variant, as `InferenceSession.rewrite` does.
    ///
    /// - Parameters:
    ///   - debug: Receives the outcome on another thread, unless the check failed.
    ///   - warning: Receives the outcome on another thread if the check failed.
    public func rewrite(
        checkedBy check: RewriteCheck, debug: @escaping @Sendable (String) -> Void,
        warning: @escaping @Sendable (String) -> Void
    ) {
        session.rewrite(checkedBy: check) { outcome in
            (outcome.kind == .failed ? warning : debug)(outcome.note)
        }
    }

    /// Waits until this session has written its optimized variant to the cache, which may take seconds; returns
    /// immediately if there is nothing to write. A process that may exit after its first utterance must call this
    /// before it reports the end of that utterance; otherwise, the entry would never be completed.
    ///
    /// - Parameter over: A semaphore that ends the wait when it is signaled. The work continues.
    public func finishCache(_ session: InferenceSession, until over: DispatchSemaphore) {
        if !session.isFromCache { session.finishCache(until: over) }
    }
}
