import Dispatch
import Synchronization
import SynthGraphRewriting
import SynthGraphs
import SynthONNXRuntime

/// Publishes a session's optimized model in the cache, once: during the first run, or at the end of the session if the model
/// must be rewritten first.
final class CacheWork: Sendable {
    private struct Rewriting: Sendable {
        let rewriter: GraphRewriter
        let report: @Sendable (RewriteOutcome) -> Void
    }

    private enum State: Sendable {
        case waiting
        /// The entry is being published. The semaphores belong to callers that are waiting for the work to finish.
        case working([DispatchSemaphore])
        case published
        /// Publishing failed, or the entry was abandoned.
        case removed
    }

    private let cache: GraphCache
    private let key: CacheKey
    private let entry: GraphCache.Entry
    private let exposedOutputs: ExposedOutputs
    private let isToBeRewritten: Bool
    private let part: RecognizerPart?
    private let state = Mutex(State.waiting)
    private let rewriting = Mutex<Rewriting?>(nil)

    /// - Parameter isToBeRewritten: Whether the key is for a rewritten graph. Such a graph is published only if a
    ///   rewriter is set.
    /// - Parameter part: The part of a recognizer whose rewrite is applied; `nil` for none.
    init(
        _ cache: GraphCache, _ key: CacheKey, _ entry: GraphCache.Entry, exposing exposedOutputs: ExposedOutputs,
        isToBeRewritten: Bool, of part: RecognizerPart?
    ) {
        self.cache = cache
        self.key = key
        self.entry = entry
        self.exposedOutputs = exposedOutputs
        self.isToBeRewritten = isToBeRewritten
        self.part = part
    }

    var isPublished: Bool {
        if case .published = state.withLock({ $0 }) { true } else { false }
    }

    /// Sets the rewriter to apply before publishing. Call this before the first run.
    ///
    /// - Parameter report: Receives the outcome on another thread.
    func rewrite(with rewriter: GraphRewriter, report: @escaping @Sendable (RewriteOutcome) -> Void) {
        rewriting.withLock { $0 = Rewriting(rewriter: rewriter, report: report) }
    }

    /// Starts publishing during a run if that merely involves waiting for the disk, which does not slow down the run.
    func startBesideRun() {
        if !isToBeRewritten { start() }
    }

    /// Starts publishing on another thread. Later calls have no effect.
    func start() {
        guard !isToBeRewritten || rewriting.withLock({ $0 != nil }) else { return abandon() }
        guard claim(.working([])) else { return }
        let work: @Sendable () -> Void = { [self] in end(publish()) }
        if !WorkThread.start(work) { work() }
    }

    /// Publishes the entry. When this function returns, nothing in this object references the session, so a waiting
    /// caller may unload ONNX Runtime.
    private func publish() -> State {
        let rewriting = rewriting.withLock { rewriting in
            defer { rewriting = nil }
            return rewriting
        }
        do {
            let outcome = try cache.publish(
                entry, key: key, exposing: exposedOutputs, of: part, rewrite: rewriting?.rewriter.rewrite)
            if let outcome { rewriting?.report(outcome) }
            return .published
        } catch {
            cache.remove(entry)
            return .removed
        }
    }

    /// Removes the entry, unless publishing has started.
    func abandon() {
        guard claim(.removed) else { return }
        cache.remove(entry)
    }

    /// Changes the state. Returns true only for the first caller.
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

    /// Waits until the entry is published or publishing has failed. If `over` is signaled first, returns immediately,
    /// and publishing continues.
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
