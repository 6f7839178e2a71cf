import Dispatch
import Synchronization

/// Publishes the optimized form of a session in the cache. This is done once, during the first run, or at the end of
/// the session's work if the form has to be computed.
final class CacheWork: Sendable {
    private struct Rewriting: Sendable {
        let rewriter: GraphRewriter
        let report: @Sendable (RewriteOutcome) -> Void
    }

    private let cache: GraphCache
    private let key: CacheKey
    private let entry: GraphCache.Entry
    private let exposed: String?
    private let isStarted = Mutex(false)
    private let rewriting = Mutex<Rewriting?>(nil)
    private let done = DispatchGroup()

    init(_ cache: GraphCache, _ key: CacheKey, _ entry: GraphCache.Entry, exposed: String?) {
        self.cache = cache
        self.key = key
        self.entry = entry
        self.exposed = exposed
    }

    /// Has the graph rewritten before it is published. Call it before the first run.
    ///
    /// - Parameter report: Gets the outcome, on another thread.
    func rewrite(with rewriter: GraphRewriter, report: @escaping @Sendable (RewriteOutcome) -> Void) {
        rewriting.withLock { $0 = Rewriting(rewriter: rewriter, report: report) }
    }

    /// Begins to publish if that only waits for the disk, so that it does not slow a run.
    func startBesideRun() {
        if rewriting.withLock({ $0 == nil }) { start() }
    }

    /// Begins to publish on another thread. Later calls do nothing.
    func start() {
        // Entered under the lock: whoever sees it started can already wait for it.
        guard claim({ done.enter() }) else { return }
        let work: @Sendable () -> Void = { [self] in
            do throws(GraphCache.Failure) {
                let rewriting = rewriting.withLock { $0 }
                let outcome = try cache.publish(entry, key: key, exposed: exposed, rewriter: rewriting?.rewriter)
                if let outcome { rewriting?.report(outcome) }
            } catch {
                cache.remove(entry)
            }
            done.leave()
        }
        if !WorkThread.start(work) { work() }
    }

    /// Removes the entry instead, unless publishing has begun.
    func abandon() {
        guard claim({}) else { return }
        cache.remove(entry)
    }

    /// True for the first caller only, for whom it runs `body`.
    private func claim(_ body: () -> Void) -> Bool {
        isStarted.withLock { isStarted in
            guard !isStarted else { return false }
            isStarted = true
            body()
            return true
        }
    }

    /// Waits until the entry is published or has failed.
    func finish() {
        start()
        done.wait()
    }
}
