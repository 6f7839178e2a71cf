import Glibc
import SynthEngineProcesses
import SynthEngineWire
package import SynthHost
import SynthSystem

/// A cache of loaded models, shared by all sessions and clients of a service. Models stay loaded after use; the least
/// recently used one is evicted first. Thread-safe.
package final class WarmModels: LaneSource {
    /// The cache key of a model. It includes the model's purpose, because one plugin may both speak and transcribe.
    private struct LaneKey: Hashable {
        let model: ModelKey
        var listens = false
    }
    private let limits: ServiceLimits
    private let serviceLanes: ServiceLanes?
    private let entries = Monitor<[LaneKey: any WarmLanes]>([:])
    /// The statistics of the service.
    package let counters = ServiceCounters()

    /// Wraps a function that opens lanes, so that another service's lanes for the same model are tried first.
    package typealias ServiceLanes = @Sendable (ModelKey, @escaping LanePool.Open) -> LanePool.Open

    /// - Parameter serviceLanes: a wrapper that first tries to use the lanes of this user's running service, or nil to
    ///   use only lanes that this program opens.
    package init(_ limits: ServiceLimits = ServiceLimits(), serviceLanes: ServiceLanes? = nil) {
        self.limits = limits
        self.serviceLanes = serviceLanes
    }

    package func lanes(of model: ModelKey, limit: Int, open: @escaping LanePool.Open) -> LanePool {
        let open = serviceLanes?(model, open) ?? open
        return lanes(at: LaneKey(model: model)) {
            LanePool(limit: limit) { [counters] isReplaceable throws(EngineFailure) in
                CountedLane(try open(isReplaceable), counters)
            }
        }
    }

    /// Returns the lanes of a recognizer model.
    ///
    /// - Parameter limit: the maximum number of lanes.
    func recognizerLanes(of load: LoadRequest, _ recognizer: Recognizer, limit: Int) -> ModelLanes<RecognizerLane> {
        lanes(at: LaneKey(model: ModelKey(plugin: recognizer.file, load), listens: true)) {
            ModelLanes(limit: limit, isAlive: \.isAlive) { _ throws(EngineFailure) in try recognizer.openLane(on: load)
            }
        }
    }

    private func lanes<Lane>(at key: LaneKey, _ make: () -> ModelLanes<Lane>) -> ModelLanes<Lane> {
        let (lanes, dropped) = entries.update { entries -> (ModelLanes<Lane>, [any WarmLanes]) in
            if let lanes = entries[key] as? ModelLanes<Lane> { return (lanes, []) }
            var dropped: [any WarmLanes] = []
            while entries.count >= limits.models, let oldest = Self.removeOldest(of: &entries) {
                dropped.append(oldest)
            }
            let lanes = make()
            entries[key] = lanes
            return (lanes, dropped)
        }
        Self.drop(dropped)
        return lanes
    }

    /// The number of models that are loaded or about to be loaded.
    var count: Int { entries.read { $0.count } }

    /// The cached models and the time of their last use, which is nil for models in use.
    var kept: [(plugin: String, load: LoadRequest, idleSince: ContinuousClock.Instant?)] {
        entries.read { entries in entries.map { ($0.key.model.plugin, $0.key.model.load, $0.value.idleSince) } }
    }

    /// Whether a model is loaded or about to be loaded.
    func holds(_ model: ModelKey) -> Bool { entries.read { $0[LaneKey(model: model)] != nil } }

    /// Whether any client is using the model or waiting for it.
    func isInUse(_ model: ModelKey) -> Bool {
        entries.read { $0[LaneKey(model: model)] }.map { $0.idleSince == nil } ?? false
    }

    func drop(_ model: ModelKey) {
        Self.drop([entries.update { $0.removeValue(forKey: LaneKey(model: model)) }].compactMap(\.self))
    }

    /// Evicts models that have been idle for too long, and idle models whose files another program has removed.
    ///
    /// - Returns: when to check again, or nil if the cache is empty.
    func dropIdle(at now: ContinuousClock.Instant = .now) -> ContinuousClock.Instant? {
        // Check the files outside the lock, because the disk may be slow.
        let gone = Set(entries.read { Array($0.keys) }.filter(\.model.isGone))
        let (next, dropped) = entries.update { entries in
            let dropped = entries.filter { key, lanes in
                lanes.idleSince.map { now - $0 >= limits.idle || gone.contains(key) } ?? false
            }.values
            entries = entries.filter { entry in !dropped.contains { $0 === entry.value } }
            // A model that is in use cannot become idle before now, so it cannot be evicted until the idle limit has
            // passed.
            let next = entries.values.map { ($0.idleSince ?? now) + limits.idle }.min()
            return (next, dropped)
        }
        Self.drop(dropped)
        return next
    }

    /// Evicts the least recently used model.
    ///
    /// - Returns: false if all models are in use.
    func dropOldest() -> Bool {
        let dropped = entries.update { Self.removeOldest(of: &$0) }
        Self.drop([dropped].compactMap { $0 })
        return dropped != nil
    }

    /// Evicts all models that are not in use.
    func dropAll() {
        let dropped = entries.update { entries in
            defer { entries = [:] }
            return entries.values
        }
        Self.drop(dropped)
    }

    /// Closes the idle lanes of evicted models. Clients keep the lanes that they are using. May block.
    private static func drop(_ pools: some Sequence<any WarmLanes>) { for pool in pools { pool.closeIdle() } }

    private static func removeOldest(of entries: inout [LaneKey: any WarmLanes]) -> (any WarmLanes)? {
        let idle = entries.compactMap { key, lanes in lanes.idleSince.map { (key: key, since: $0, lanes: lanes) } }
        // Evict pools without lanes first, because they have no loaded model.
        let empty = idle.filter { !$0.lanes.hasLane }
        guard let oldest = (empty.isEmpty ? idle : empty).min(by: { $0.since < $1.since }) else { return nil }
        return entries.removeValue(forKey: oldest.key)
    }
}

private protocol WarmLanes: AnyObject, Sendable {
    var idleSince: ContinuousClock.Instant? { get }
    var hasLane: Bool { get }
    func closeIdle()
}

extension ModelLanes: WarmLanes {}

extension ModelKey {
    /// Whether any of the model's files no longer exists.
    var isGone: Bool { load.files.contains { access($0.path, F_OK) != 0 } }
}

/// The voices being preloaded. A voice is preloaded at most once at a time. Thread-safe.
final class LoadingAhead: Sendable {
    private enum LoadState {
        case loading
        /// Loading failed and must not be retried until the given time.
        case failed(until: ContinuousClock.Instant)

        var isLoading: Bool { if case .loading = self { true } else { false } }
    }
    private let pause: Duration
    private let entries = Monitor<[String: LoadState]>([:])

    /// - Parameter pause: how long to wait after a failure before loading the voice again.
    init(pause: Duration) { self.pause = pause }

    /// Returns false if the voice is being loaded or has recently failed to load. Otherwise the caller must call `end`.
    func begin(_ voice: SpeechVoice, at now: ContinuousClock.Instant = .now) -> Bool {
        entries.update { entries in
            switch entries[Self.key(of: voice)] {
            case .loading?: return false
            case .failed(let end)? where end > now: return false
            default:
                entries[Self.key(of: voice)] = .loading
                return true
            }
        }
    }

    func end(_ voice: SpeechVoice, hasFailed: Bool, at now: ContinuousClock.Instant = .now) {
        entries.update { $0[Self.key(of: voice)] = hasFailed ? .failed(until: now + pause) : nil }
    }

    func waitForEnd() { _ = entries.wait { $0.values.contains(where: \.isLoading) ? nil : true } }

    private static func key(of voice: SpeechVoice) -> String { "\(voice.engine)/\(voice.id)/\(voice.title)" }
}

/// Decides when a service trims its heap. Without trimming, the C library would hold on to most of the memory freed
/// after a burst of work.
struct HeapTrimming {
    private var dirtySince: ContinuousClock.Instant?
    private var lastChange = ContinuousClock.now

    /// The minimum time since the last start or end of a request or recording before the heap is trimmed. The heap is
    /// trimmed no later than `longest` after the first change.
    private static let pause = Duration.seconds(1)
    private static let longest = Duration.seconds(20)

    /// When to trim the heap, or nil if nothing has changed since it was last trimmed.
    var due: ContinuousClock.Instant? { dirtySince.map { min(lastChange + Self.pause, $0 + Self.longest) } }

    /// Records the start or end of a request or recording.
    mutating func note(at now: ContinuousClock.Instant = .now) {
        dirtySince = dirtySince ?? now
        lastChange = now
    }

    mutating func trim() {
        dirtySince = nil
        Heap.trim()
    }
}
