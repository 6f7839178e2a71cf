import Dispatch
import Synchronization

/// Publishes the optimized form of a session in the cache. This is done once, during the first run.
final class CacheWork: Sendable {
    private let cache: GraphCache
    private let key: CacheKey
    private let entry: GraphCache.Entry
    private let exposed: String?
    private let isStarted = Mutex(false)
    private let done = DispatchGroup()

    init(_ cache: GraphCache, _ key: CacheKey, _ entry: GraphCache.Entry, exposed: String?) {
        self.cache = cache
        self.key = key
        self.entry = entry
        self.exposed = exposed
    }

    /// Begins to publish on another thread. Later calls do nothing.
    func start() {
        // Entered under the lock: whoever sees it started can already wait for it.
        guard claim({ done.enter() }) else { return }
        let work: @Sendable () -> Void = { [self] in
            do throws(GraphCache.Failure) {
                try cache.publish(entry, key: key, exposed: exposed)
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
