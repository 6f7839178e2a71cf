import Glibc
import SynthEngineProcesses
import SynthEngineWire
package import SynthHost
import SynthSystem

/// Models that stay loaded after the last speech with them, or the last sound that they understood, for all sessions and clients
/// of a service. The one that was used longest ago goes first. Any thread may use it.
package final class WarmModels: LaneSource {
    /// A plugin may speak and listen.
    private struct Place: Hashable {
        let model: ModelKey
        var listens = false
    }
    private let limits: ServiceLimits
    private let elsewhere: Elsewhere?
    private let places = Monitor<[Place: any WarmLanes]>([:])
    /// What is done with the models.
    package let counters = ServiceCounters()

    /// A way to lanes of somebody else with the same model, which tries the given one if there are none.
    package typealias Elsewhere = @Sendable (ModelKey, @escaping LanePool.Open) -> LanePool.Open

    /// - Parameter elsewhere: lanes of a service of this user, which are taken where they can be had.
    package init(_ limits: ServiceLimits = ServiceLimits(), elsewhere: Elsewhere? = nil) {
        self.limits = limits
        self.elsewhere = elsewhere
    }

    package func lanes(of model: ModelKey, limit: Int, open: @escaping LanePool.Open) -> LanePool {
        let open = elsewhere?(model, open) ?? open
        return lanes(at: Place(model: model)) {
            LanePool(limit: limit) { [counters] isReplaceable throws(EngineFailure) in
                CountedLane(try open(isReplaceable), counters)
            }
        }
    }

    /// The lanes of a model that listens.
    ///
    /// - Parameter limit: how many lanes there can be at once.
    func ears(of load: LoadRequest, _ recognizer: Recognizer, limit: Int) -> ModelLanes<RecognizerLane> {
        lanes(at: Place(model: ModelKey(plugin: recognizer.file, load), listens: true)) {
            ModelLanes(limit: limit, isAlive: \.isAlive) { _ throws(EngineFailure) in try recognizer.openLane(on: load)
            }
        }
    }

    private func lanes<Lane>(at place: Place, _ make: () -> ModelLanes<Lane>) -> ModelLanes<Lane> {
        let (lanes, dropped) = places.update { places -> (ModelLanes<Lane>, [any WarmLanes]) in
            if let lanes = places[place] as? ModelLanes<Lane> { return (lanes, []) }
            var dropped: [any WarmLanes] = []
            while places.count >= limits.models, let oldest = Self.removeOldest(of: &places) { dropped.append(oldest) }
            let lanes = make()
            places[place] = lanes
            return (lanes, dropped)
        }
        Self.drop(dropped)
        return lanes
    }

    /// How many models are loaded, or about to be.
    var count: Int { places.read { $0.count } }

    /// Those that are loaded, or about to be, with the time of their last use; nil = in use.
    var kept: [(plugin: String, load: LoadRequest, idleSince: ContinuousClock.Instant?)] {
        places.read { places in places.map { ($0.key.model.plugin, $0.key.model.load, $0.value.idleSince) } }
    }

    /// Whether a model is loaded, or about to be.
    func holds(_ model: ModelKey) -> Bool { places.read { $0[Place(model: model)] != nil } }

    /// Whether somebody speaks with a model, loads it, or waits for it.
    func isInUse(_ model: ModelKey) -> Bool {
        places.read { $0[Place(model: model)] }.map { $0.idleSince == nil } ?? false
    }

    /// Drops one model.
    func drop(_ model: ModelKey) {
        Self.drop([places.update { $0.removeValue(forKey: Place(model: model)) }].compactMap(\.self))
    }

    /// Drops what nobody used for a while.
    ///
    /// - Returns: when to look again; nil = nothing is kept.
    func dropIdle(at now: ContinuousClock.Instant = .now) -> ContinuousClock.Instant? {
        let (next, dropped) = places.update { places in
            let dropped = places.values.filter { lanes in lanes.idleSince.map { now - $0 >= limits.idle } ?? false }
            places = places.filter { place in !dropped.contains { $0 === place.value } }
            // One that is in use is idle for the whole time from some moment after now.
            let next = places.values.map { ($0.idleSince ?? now) + limits.idle }.min()
            return (next, dropped)
        }
        Self.drop(dropped)
        return next
    }

    /// Drops the model that was used longest ago.
    ///
    /// - Returns: false if all are in use.
    func dropOldest() -> Bool {
        let dropped = places.update { Self.removeOldest(of: &$0) }
        Self.drop([dropped].compactMap { $0 })
        return dropped != nil
    }

    /// Nothing is kept any more, but what speaks.
    func dropAll() {
        let dropped = places.update { places in
            defer { places = [:] }
            return places.values
        }
        Self.drop(dropped)
    }

    /// A client may keep what it was lent; what it does not use is unloaded all the same. May block.
    private static func drop(_ pools: some Sequence<any WarmLanes>) { for pool in pools { pool.closeIdle() } }

    private static func removeOldest(of places: inout [Place: any WarmLanes]) -> (any WarmLanes)? {
        let idle = places.compactMap { key, lanes in lanes.idleSince.map { (key: key, since: $0, lanes: lanes) } }
        // One that was only asked about has nothing loaded.
        let empty = idle.filter { !$0.lanes.hasLane }
        guard let oldest = (empty.isEmpty ? idle : empty).min(by: { $0.since < $1.since }) else { return nil }
        return places.removeValue(forKey: oldest.key)
    }
}

/// The lanes of one model, of whatever kind.
private protocol WarmLanes: AnyObject, Sendable {
    var idleSince: ContinuousClock.Instant? { get }
    var hasLane: Bool { get }
    func closeIdle()
}

extension ModelLanes: WarmLanes {}

extension ModelKey {
    /// Whether files of it are not there any more.
    var isGone: Bool { load.files.contains { access($0.path, F_OK) != 0 } }
}

/// The voices that are loaded ahead of their speech, each once at a time. Any thread may use it.
final class LoadingAhead: Sendable {
    private enum Place {
        case loading
        /// It could not be loaded, and is not tried again until then.
        case failed(until: ContinuousClock.Instant)

        var isLoading: Bool { if case .loading = self { true } else { false } }
    }
    private let pause: Duration
    private let places = Monitor<[String: Place]>([:])

    /// - Parameter pause: how long a voice that could not be loaded is not tried again.
    init(pause: Duration) { self.pause = pause }

    /// False if the voice is being loaded, or could not be loaded a short while ago. Else `end` follows.
    func begin(_ voice: SpeechVoice, at now: ContinuousClock.Instant = .now) -> Bool {
        places.update { places in
            switch places[Self.key(of: voice)] {
            case .loading?: return false
            case .failed(let end)? where end > now: return false
            default:
                places[Self.key(of: voice)] = .loading
                return true
            }
        }
    }

    func end(_ voice: SpeechVoice, hasFailed: Bool, at now: ContinuousClock.Instant = .now) {
        places.update { $0[Self.key(of: voice)] = hasFailed ? .failed(until: now + pause) : nil }
    }

    /// Blocks until none is being loaded.
    func waitForEnd() { _ = places.wait { $0.values.contains(where: \.isLoading) ? nil : true } }

    private static func key(of voice: SpeechVoice) -> String { "\(voice.engine)/\(voice.id)/\(voice.title)" }
}

/// Decides when a service trims its heap. After a burst of work the C library would keep most of the freed memory.
struct HeapTrimming {
    private var dirtySince: ContinuousClock.Instant?
    private var lastChange = ContinuousClock.now

    /// The heap is trimmed after this time without a speech or recording that begins or ends, but no later than `longest` after
    /// the first one.
    private static let pause = Duration.seconds(1)
    private static let longest = Duration.seconds(20)

    /// When to trim; nil = nothing happened since the last time.
    var due: ContinuousClock.Instant? { dirtySince.map { min(lastChange + Self.pause, $0 + Self.longest) } }

    /// Notes that a speech or recording began or ended.
    mutating func note(at now: ContinuousClock.Instant = .now) {
        dirtySince = dirtySince ?? now
        lastChange = now
    }

    mutating func trim() {
        dirtySince = nil
        Heap.trim()
    }
}
