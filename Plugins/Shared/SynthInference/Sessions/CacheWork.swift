import Dispatch
import Synchronization
import SynthGraphRewriting
import SynthGraphs
import SynthONNXRuntime

/// Publishes the optimized form of a session in the cache. This is done once, during the first run, or at the end of
/// the session's work if the form has to be computed.
final class CacheWork: Sendable {
    private struct Rewriting: Sendable {
        let rewriter: GraphRewriter
        let report: @Sendable (RewriteOutcome) -> Void
    }

    private enum State: Sendable {
        case waiting
        /// With those that wait for its end.
        case working([DispatchSemaphore])
        case published
        /// It failed, or the entry was not wanted.
        case removed
    }

    private let cache: GraphCache
    private let key: CacheKey
    private let entry: GraphCache.Entry
    private let exposures: Exposures
    private let isToBeRewritten: Bool
    private let state = Mutex(State.waiting)
    private let rewriting = Mutex<Rewriting?>(nil)

    /// - Parameter isToBeRewritten: Whether the key says that the graph was rewritten, so that it is not published unless
    ///   somebody says how.
    init(
        _ cache: GraphCache, _ key: CacheKey, _ entry: GraphCache.Entry, exposing exposures: Exposures,
        isToBeRewritten: Bool
    ) {
        self.cache = cache
        self.key = key
        self.entry = entry
        self.exposures = exposures
        self.isToBeRewritten = isToBeRewritten
    }

    var isPublished: Bool {
        if case .published = state.withLock({ $0 }) { true } else { false }
    }

    /// Has the graph rewritten before it is published. Call it before the first run.
    ///
    /// - Parameter report: Gets the outcome, on another thread.
    func rewrite(with rewriter: GraphRewriter, report: @escaping @Sendable (RewriteOutcome) -> Void) {
        rewriting.withLock { $0 = Rewriting(rewriter: rewriter, report: report) }
    }

    /// Begins to publish if that only waits for the disk, so that it does not slow a run.
    func startBesideRun() {
        if !isToBeRewritten { start() }
    }

    /// Begins to publish on another thread. Later calls do nothing.
    func start() {
        guard !isToBeRewritten || rewriting.withLock({ $0 != nil }) else { return abandon() }
        guard claim(.working([])) else { return }
        let work: @Sendable () -> Void = { [self] in end(publish()) }
        if !WorkThread.start(work) { work() }
    }

    /// When it returns, nothing here holds the session any more: whoever waits may unload the library.
    private func publish() -> State {
        let rewriting = rewriting.withLock { rewriting in
            defer { rewriting = nil }
            return rewriting
        }
        do {
            let outcome = try cache.publish(entry, key: key, exposing: exposures, rewrite: rewriting?.rewriter.rewrite)
            if let outcome { rewriting?.report(outcome) }
            return .published
        } catch {
            cache.remove(entry)
            return .removed
        }
    }

    /// Removes the entry instead, unless publishing has begun.
    func abandon() {
        guard claim(.removed) else { return }
        cache.remove(entry)
    }

    /// True for the first caller only.
    private func claim(_ next: State) -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = next
            return true
        }
    }

    private func end(_ end: State) {
        state.withLock { state in
            if case .working(let waiting) = state { for semaphore in waiting { semaphore.signal() } }
            state = end
        }
    }

    /// Waits until the entry is published or has failed, or until somebody signals `over`. Then it is still being made.
    func finish(until over: DispatchSemaphore = DispatchSemaphore(value: 0)) {
        start()
        let isWorking = state.withLock { state in
            guard case .working(let waiting) = state else { return false }
            state = .working(waiting + [over])
            return true
        }
        if isWorking { over.wait() }
    }
}
