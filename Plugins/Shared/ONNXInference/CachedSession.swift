import Synchronization

/// A session of a model for the life of an engine: first of the model as it is published, and after its first use of the
/// form that was then put into the cache.
public final class CachedSession: Sendable {
    private let make: @Sendable () throws(InferenceError) -> InferenceSession
    private let latest: Mutex<InferenceSession>

    /// Parameters as for `InferenceSession`.
    public init(
        model path: String, exposing operation: String, threads: Int, cacheDirectory: String?,
        rewrittenAs kind: RewriteKind
    ) throws(InferenceError) {
        make = { () throws(InferenceError) in
            try InferenceSession(
                model: path, exposing: operation, threads: threads, cacheDirectory: cacheDirectory, rewrittenAs: kind)
        }
        latest = Mutex(try make())
    }

    /// The one to use for the next request.
    public var session: InferenceSession { latest.withLock { $0 } }

    /// Waits until the form that this session writes is in the cache, if it writes one, and uses it from then on. A process
    /// that may end after its first utterance calls this before it reports the end of that utterance, or the cache would
    /// never be finished.
    public func finishCache(_ session: InferenceSession) {
        guard !session.isFromCache else { return }
        session.finishCache()
        latest.withLock { latest in
            guard latest === session, let made = try? make(), made.isFromCache else { return }
            latest = made
        }
    }
}
