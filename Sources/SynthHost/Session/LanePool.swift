import Engines
import System

/// The lanes of a session: opened when they are needed up to a limit, used again, and waited for in the order of asking.
final class LanePool: Sendable {
    typealias Open = @Sendable () throws(EngineFailure) -> any SpeakingLane

    private struct State {
        var idle: [any SpeakingLane] = []
        /// Opened and not closed, idle or not; and those that are being opened.
        var count = 0
        var waiting: [Int] = []
        var next = 0
        var isClosed = false
    }
    private enum Turn {
        case lane(any SpeakingLane)
        case open
        case closed
    }
    private let state = Monitor(State())
    /// How many there can be at once.
    let limit: Int
    private let open: Open

    /// - Parameter open: opens one more lane. Blocks.
    init(limit: Int, open: @escaping Open) {
        self.limit = limit
        self.open = open
    }

    /// Somebody's place in the order in which lanes are given.
    struct Ticket: Sendable {
        let number: Int
    }

    func ticket() -> Ticket {
        state.update { state in
            defer { state.next += 1 }
            state.waiting.append(state.next)
            return Ticket(number: state.next)
        }
    }

    /// A lane that nobody else uses until it is given back; nil once the pool is closed or the ticket was given up. Blocks
    /// until it is this one's turn and there is a lane.
    func take(_ ticket: Ticket) throws(EngineFailure) -> (any SpeakingLane)? {
        let turn = state.wait { state -> Turn? in
            if state.isClosed || !state.waiting.contains(ticket.number) { return .closed }
            guard state.waiting.first == ticket.number, let turn = self.turn(&state) else { return nil }
            state.waiting.removeFirst()
            return turn
        }
        return try lane(turn ?? .closed)
    }

    /// One more lane, if there is one that nobody waits for; nil otherwise. Blocks only to open it.
    func takeSpare() throws(EngineFailure) -> (any SpeakingLane)? {
        let turn = state.update { state in
            state.isClosed || !state.waiting.isEmpty ? .closed : self.turn(&state) ?? .closed
        }
        return try lane(turn)
    }

    /// Whether somebody waits for a lane.
    var isAwaited: Bool { state.read { !$0.waiting.isEmpty } }

    /// A lane that is idle, or the right to open one; nil if there are as many as there may be.
    private func turn(_ state: inout State) -> Turn? {
        while let lane = state.idle.popLast() {
            if lane.isAlive { return .lane(lane) }
            state.count -= 1
        }
        guard state.count < limit else { return nil }
        state.count += 1
        return .open
    }

    private func lane(_ turn: Turn) throws(EngineFailure) -> (any SpeakingLane)? {
        switch turn {
        case .lane(let lane): return lane
        case .closed: return nil
        case .open:
            do throws(EngineFailure) {
                return try open()
            } catch {
                state.update { $0.count -= 1 }
                throw error
            }
        }
    }

    /// Takes a ticket back: its holder wants no lane any more, and its `take` returns.
    func giveUp(_ ticket: Ticket) { state.update { state in state.waiting.removeAll { $0 == ticket.number } } }

    func giveBack(_ lane: any SpeakingLane) {
        state.update { state in
            if state.isClosed || !lane.isAlive { state.count -= 1 } else { state.idle.append(lane) }
        }
    }

    /// No lane is given any more; those that speak go on until they are given back.
    func close() {
        state.update { state in
            state.isClosed = true
            state.idle = []
        }
    }
}
