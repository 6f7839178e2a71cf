package import SynthEngineProcesses
import SynthSystem

/// The lanes of a speech engine.
package typealias LanePool = ModelLanes<any SpeakingLane>

extension ModelLanes where Lane == any SpeakingLane {
    /// - Parameter open: opens another lane. Blocks.
    package convenience init(limit: Int, open: @escaping Open) {
        self.init(limit: limit, isAlive: \.isAlive, open: open)
    }
}

/// A pool of lanes for a model. Lanes are opened on demand up to a limit and reused. Callers are served by priority and
/// then in FIFO order.
package final class ModelLanes<Lane: Sendable>: Sendable {
    /// Opens a lane. Blocks.
    ///
    /// - Parameter isReplaceable: see `Engine.openLane`.
    package typealias Open = @Sendable (_ isReplaceable: () -> Bool) throws(EngineFailure) -> Lane

    private struct State {
        var idle: [Lane] = []
        /// `count` includes idle lanes, lanes in use and lanes that are being opened.
        var count = 0
        var opening = 0
        /// The waiting tickets, in the order in which they will be served.
        var waiting: [Ticket] = []
        var next = 0
        /// The callbacks of clients that borrow a lane for one utterance at a time.
        var sharers: [Int: @Sendable () -> Void] = [:]
        var lastUse = ContinuousClock.now
    }
    private enum Turn {
        case lane(Lane)
        case open
        /// No lane is available, or the ticket was withdrawn.
        case none
    }
    private let state = Monitor(State())
    /// The maximum number of lanes.
    package let limit: Int
    private let open: Open
    private let isAlive: @Sendable (Lane) -> Bool

    /// - Parameters:
    ///   - isAlive: whether a lane is still usable.
    ///   - open: opens another lane. Blocks.
    package init(limit: Int, isAlive: @escaping @Sendable (Lane) -> Bool, open: @escaping Open) {
        self.limit = limit
        self.isAlive = isAlive
        self.open = open
    }

    /// A caller's position in the queue for lanes.
    package struct Ticket: Sendable {
        let number: Int
        fileprivate let priority: SpeechPriority
    }

    package func ticket(_ priority: SpeechPriority = .normal) -> Ticket {
        state.update { state in
            defer { state.next += 1 }
            let ticket = Ticket(number: state.next, priority: priority)
            let position = state.waiting.firstIndex { $0.priority < priority } ?? state.waiting.endIndex
            state.waiting.insert(ticket, at: position)
            return ticket
        }
    }

    /// Takes a lane for exclusive use until the caller returns it. Returns nil if the ticket is withdrawn. Blocks until
    /// it is this ticket's turn and a lane is available.
    package func take(
        _ ticket: Ticket, whileReplaceable isReplaceable: () -> Bool = { false }
    ) throws(EngineFailure) -> Lane? {
        let turn = state.wait { state -> Turn? in
            if !state.waiting.contains(where: { $0.number == ticket.number }) { return .some(.none) }
            guard state.waiting.first?.number == ticket.number, let turn = self.turn(&state) else {
                // Ask clients that share a lane to finish their utterances soon.
                for expand in state.sharers.values { expand() }
                return nil
            }
            state.waiting.removeFirst()
            return turn
        }
        return try lane(turn ?? .none, isReplaceable)
    }

    /// Takes an additional lane if one is available and no ticket is waiting for it; otherwise, returns nil. Blocks only while
    /// a lane is being opened.
    func takeSpare() throws(EngineFailure) -> Lane? {
        let turn = state.update { state in
            state.waiting.isEmpty ? self.turn(&state) ?? .none : Turn.none
        }
        return try lane(turn)
    }

    /// Whether at least one usable lane is open, either idle or in use.
    package var hasLane: Bool {
        state.read { state in
            let inUse = state.count - state.opening - state.idle.count
            return inUse > 0 || state.idle.contains(where: isAlive)
        }
    }

    /// Whether a ticket is waiting for a lane.
    var isAwaited: Bool { state.read { !$0.waiting.isEmpty } }

    /// Whether a ticket of at least this priority is waiting for a lane.
    func isAwaited(atLeast priority: SpeechPriority) -> Bool {
        // The first ticket has the highest priority.
        state.read { $0.waiting.first.map { $0.priority >= priority } ?? false }
    }

    /// Whether a lane would remain after each waiting ticket has received one.
    var hasSpare: Bool { state.read { $0.idle.count + limit - $0.count > $0.waiting.count } }

    /// Blocks until `count` tickets are waiting for a lane. Used only by tests.
    package func waitForTickets(_ count: Int) { _ = state.wait { $0.waiting.count >= count ? true : nil } }

    /// Takes an idle lane or reserves a new one. Returns nil if the limit has been reached.
    private func turn(_ state: inout State) -> Turn? {
        while let lane = state.idle.popLast() {
            if isAlive(lane) { return .lane(lane) }
            state.count -= 1
        }
        guard state.count < limit else { return nil }
        state.count += 1
        state.opening += 1
        return .open
    }

    private func lane(_ turn: Turn, _ isReplaceable: () -> Bool = { false }) throws(EngineFailure) -> Lane? {
        switch turn {
        case .lane(let lane): return lane
        case .none: return nil
        case .open:
            defer { state.update { $0.opening -= 1 } }
            do {
                return try open(isReplaceable)
            } catch {
                state.update { $0.count -= 1 }
                throw error
            }
        }
    }

    /// Withdraws a ticket. If `take` is blocked on this ticket, it returns nil.
    package func giveUp(_ ticket: Ticket) {
        state.update { state in state.waiting.removeAll { $0.number == ticket.number } }
    }

    package func release(_ lane: Lane) {
        state.update { state in
            state.lastUse = .now
            if isAlive(lane) { state.idle.append(lane) } else { state.count -= 1 }
        }
    }

    /// Closes the idle lanes. Call this method when the pool is evicted.
    package func closeIdle() {
        // Closing a lane may block, so do it outside the lock.
        let idle = state.update { state in
            defer { state.idle = [] }
            state.count -= state.idle.count
            return state.idle
        }
        withExtendedLifetime(idle) {}
    }

    /// The time at which the last lane was returned, or nil while a lane is in use or a ticket is waiting.
    package var idleSince: ContinuousClock.Instant? {
        state.read { $0.waiting.isEmpty && $0.count == $0.idle.count ? $0.lastUse : nil }
    }

    /// Opens a lane if none is open, to speed up the start of the next request. Blocks until a lane is ready.
    ///
    /// - Returns: false if the ticket was withdrawn.
    package func load(
        _ ticket: Ticket, whileReplaceable isReplaceable: () -> Bool = { false }
    ) throws(EngineFailure) -> Bool {
        guard let lane = try take(ticket, whileReplaceable: isReplaceable) else { return false }
        release(lane)
        return true
    }

    /// Registers a callback that is called when a ticket has to wait for a lane. To unregister it, call `leave` with
    /// the same number. The callback may be called while the pool's lock is held.
    func share(_ number: Int, expand: @escaping @Sendable () -> Void) {
        let isAwaited = state.update { state in
            state.sharers[number] = expand
            return !state.waiting.isEmpty
        }
        if isAwaited { expand() }
    }

    func leave(_ number: Int) { state.update { $0.sharers[number] = nil } }
}

/// Provides lane pools for models. Thread-safe.
package protocol LaneSource: Sendable {
    /// - Parameters:
    ///   - limit: the maximum number of lanes.
    ///   - open: opens a lane in the engine.
    func lanes(of model: ModelKey, limit: Int, open: @escaping LanePool.Open) -> LanePool
}

/// A lane source for a single session.
package struct OwnLanes: LaneSource {
    package init() {}

    package func lanes(of model: ModelKey, limit: Int, open: @escaping LanePool.Open) -> LanePool {
        LanePool(limit: limit, open: open)
    }
}

/// The priority of a request for a lane. It determines which request speaks the next utterance.
package enum SpeechPriority: Int, Comparable, Sendable {
    /// Speech for a book or a file.
    case background
    case normal
    /// Speech that must start immediately, such as a screen reader's output.
    case urgent

    package static func < (first: SpeechPriority, second: SpeechPriority) -> Bool { first.rawValue < second.rawValue }
}
