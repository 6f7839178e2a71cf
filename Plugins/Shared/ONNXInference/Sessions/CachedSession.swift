public import Dispatch
import Synchronization

/// A session of a model for the life of an engine: first of the model as it is published, and after its first use of the
/// form that was then put into the cache.
public final class CachedSession: Sendable {
    private let latest: Mutex<InferenceSession>

    /// Parameters as for `InferenceSession`.
    public init(
        model path: String, exposing operation: String, threads: Int, cacheDirectory: String?,
        rewrittenAs kind: RewriteKind
    ) throws(InferenceError) {
        latest = Mutex(
            try InferenceSession(
                model: path, exposing: operation, threads: threads, cacheDirectory: cacheDirectory, rewrittenAs: kind))
    }

    /// The one to use for the next request.
    public var session: InferenceSession { latest.withLock { $0 } }

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

    /// Waits until the form that this session writes is in the cache, if it writes one, and uses it from then on. A process
    /// that may end after its first utterance calls this before it reports the end of that utterance, or the cache would
    /// never be finished. It may take seconds.
    ///
    /// - Parameter over: Signal it to end the waiting; then the form is still made.
    public func finishCache(_ session: InferenceSession, until over: DispatchSemaphore) {
        guard !session.isFromCache, self.session === session else { return }
        session.finishCache(until: over)
        // Opened before the lock is taken, so that nobody waits for it.
        guard let renewed = session.renewed() else { return }
        latest.withLock { latest in
            if latest === session { latest = renewed }
        }
    }
}
