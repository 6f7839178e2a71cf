package import SynthEngineProcesses
import SynthSystem

/// Lanes of an engine that speaks.
package typealias LanePool = ModelLanes<any SpeakingLane>

extension ModelLanes where Lane == any SpeakingLane {
    /// - Parameter open: opens one more lane. Blocks.
    package convenience init(limit: Int, open: @escaping Open) {
        self.init(limit: limit, isAlive: \.isAlive, open: open)
    }
}

/// The lanes of a model: opened when they are needed up to a limit, used again, and waited for in the order of their
/// priority, and then of asking.
package final class ModelLanes<Lane: Sendable>: Sendable {
    /// Opens a lane. Blocks.
    ///
    /// - Parameter isReplaceable: as for `Engine.openLane`.
    package typealias Open = @Sendable (_ isReplaceable: () -> Bool) throws(EngineFailure) -> Lane

    private struct State {
        var idle: [Lane] = []
        /// Opened and not closed, idle or not; and those that are being opened.
        var count = 0
        var opening = 0
        /// The next one first.
        var waiting: [Ticket] = []
        var next = 0
        /// Those that speak one utterance at a time.
        var sharers: [Int: @Sendable () -> Void] = [:]
        var lastUse = ContinuousClock.now
    }
    private enum Turn {
        case lane(Lane)
        case open
        /// There is none, or none is wanted any more.
        case none
    }
    private let state = Monitor(State())
    /// How many there can be at once.
    package let limit: Int
    private let open: Open
    private let isAlive: @Sendable (Lane) -> Bool

    /// - Parameters:
    ///   - isAlive: whether a lane can still be used.
    ///   - open: opens one more lane. Blocks.
    package init(limit: Int, isAlive: @escaping @Sendable (Lane) -> Bool, open: @escaping Open) {
        self.limit = limit
        self.isAlive = isAlive
        self.open = open
    }

    /// Somebody's place in the order in which lanes are given.
    package struct Ticket: Sendable {
        let number: Int
        fileprivate let priority: SpeechPriority
    }

    package func ticket(_ priority: SpeechPriority = .normal) -> Ticket {
        state.update { state in
            defer { state.next += 1 }
            let ticket = Ticket(number: state.next, priority: priority)
            let place = state.waiting.firstIndex { $0.priority < priority } ?? state.waiting.endIndex
            state.waiting.insert(ticket, at: place)
            return ticket
        }
    }

    /// A lane that nobody else uses until it is given back; nil once the ticket was given up. Blocks until it is this one's
    /// turn and there is a lane.
    package func take(
        _ ticket: Ticket, whileReplaceable isReplaceable: () -> Bool = { false }
    ) throws(EngineFailure) -> Lane? {
        let turn = state.wait { state -> Turn? in
            if !state.waiting.contains(where: { $0.number == ticket.number }) { return .some(.none) }
            guard state.waiting.first?.number == ticket.number, let turn = self.turn(&state) else {
                // Whoever has a lane is to finish its utterance soon.
                for hurry in state.sharers.values { hurry() }
                return nil
            }
            state.waiting.removeFirst()
            return turn
        }
        return try lane(turn ?? .none, isReplaceable)
    }

    /// One more lane, if there is one that nobody waits for; nil otherwise. Blocks only to open it.
    func takeSpare() throws(EngineFailure) -> Lane? {
        let turn = state.update { state in
            state.waiting.isEmpty ? self.turn(&state) ?? .none : Turn.none
        }
        return try lane(turn)
    }

    /// Whether a lane is open, in use or not.
    package var hasLane: Bool {
        state.read { state in
            let inUse = state.count - state.opening - state.idle.count
            return inUse > 0 || state.idle.contains(where: isAlive)
        }
    }

    /// Whether somebody waits for a lane.
    var isAwaited: Bool { state.read { !$0.waiting.isEmpty } }

    /// Whether somebody to whom it is as urgent waits for a lane.
    func isAwaited(atLeast priority: SpeechPriority) -> Bool {
        // The most urgent one is the first.
        state.read { $0.waiting.first.map { $0.priority >= priority } ?? false }
    }

    /// Whether a lane is left, or could be opened, when all who wait have theirs.
    var hasSpare: Bool { state.read { $0.idle.count + limit - $0.count > $0.waiting.count } }

    /// Blocks until so many wait for a lane. For tests.
    package func waitForTickets(_ count: Int) { _ = state.wait { $0.waiting.count >= count ? true : nil } }

    /// A lane that is idle, or the right to open one; nil if there are as many as there may be.
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

    /// Takes a ticket back: its holder wants no lane any more, and its `take` returns.
    package func giveUp(_ ticket: Ticket) {
        state.update { state in state.waiting.removeAll { $0.number == ticket.number } }
    }

    package func giveBack(_ lane: Lane) {
        state.update { state in
            state.lastUse = .now
            if isAlive(lane) { state.idle.append(lane) } else { state.count -= 1 }
        }
    }

    /// Closes the lanes that nobody uses, when the pool is not kept any longer.
    package func closeIdle() {
        // The end of a lane may block, which must not be under the lock.
        let idle = state.update { state in
            defer { state.idle = [] }
            state.count -= state.idle.count
            return state.idle
        }
        withExtendedLifetime(idle) {}
    }

    /// When its last lane was given back; nil while one speaks, or somebody waits for one.
    package var idleSince: ContinuousClock.Instant? {
        state.read { $0.waiting.isEmpty && $0.count == $0.idle.count ? $0.lastUse : nil }
    }

    /// Opens a lane if there is none, so that the next speech need not. Blocks until one could speak.
    ///
    /// - Returns: false if the ticket was given up.
    package func load(
        _ ticket: Ticket, whileReplaceable isReplaceable: () -> Bool = { false }
    ) throws(EngineFailure) -> Bool {
        guard let lane = try take(ticket, whileReplaceable: isReplaceable) else { return false }
        giveBack(lane)
        return true
    }

    /// Until `leave` with the same number, `hurry` is called while somebody waits for a lane, with the pool locked.
    func share(_ number: Int, hurry: @escaping @Sendable () -> Void) {
        let isAwaited = state.update { state in
            state.sharers[number] = hurry
            return !state.waiting.isEmpty
        }
        if isAwaited { hurry() }
    }

    func leave(_ number: Int) { state.update { $0.sharers[number] = nil } }
}

/// Where the lanes of models come from. Any thread may use it.
package protocol LaneSource: Sendable {
    /// - Parameters:
    ///   - limit: how many lanes there can be at once.
    ///   - open: opens one on the engine itself.
    func lanes(of model: ModelKey, limit: Int, open: @escaping LanePool.Open) -> LanePool
}

/// Lanes of one session alone.
package struct OwnLanes: LaneSource {
    package init() {}

    package func lanes(of model: ModelKey, limit: Int, open: @escaping LanePool.Open) -> LanePool {
        LanePool(limit: limit, open: open)
    }
}

/// Which of several speeches that want the same lane speaks its next utterance first.
package enum SpeechPriority: Int, Comparable, Sendable {
    /// A book, or a file that is written.
    case background
    case normal
    /// What must be heard at once, as the words of a screen reader.
    case urgent

    package static func < (first: SpeechPriority, second: SpeechPriority) -> Bool { first.rawValue < second.rawValue }
}
