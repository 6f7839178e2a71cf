import Dispatch
import Synchronization

/// What remains to be done until a session's optimized form is in the cache. It is done once, beside the first run.
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

    /// Returns at once.
    func start() {
        // Within the lock, so that whoever finds it started also finds it entered.
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

    /// Nothing is to be kept after all, unless that has begun already.
    func abandon() {
        guard claim({}) else { return }
        cache.remove(entry)
    }

    /// False for all but the first caller.
    private func claim(_ body: () -> Void) -> Bool {
        isStarted.withLock { isStarted in
            guard !isStarted else { return false }
            isStarted = true
            body()
            return true
        }
    }

    /// Returns when the entry is there, or has failed.
    func finish() {
        start()
        done.wait()
    }
}
