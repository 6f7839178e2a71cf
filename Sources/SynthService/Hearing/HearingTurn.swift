import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthSystem

/// What a client waits for that wants a sound understood: its turns, and its end. Any thread may use it.
final class HearingTurn: Sendable {
    private struct State {
        var tickets: [Int: ModelLanes<RecognizerLane>.Ticket] = [:]
        var next = 0
        var stop: (@Sendable () -> Void)?
        var isCancelled = false
        var wantsNoLane = false
        var hasBegun = false
        var hasEnded = false
    }
    private let ears: ModelLanes<RecognizerLane>
    private let priority: SpeechPriority
    private let counters: ServiceCounters
    private let onEnd: @Sendable () -> Void
    private let state = Monitor(State())

    /// - Parameter onEnd: called once, on any thread.
    init(
        _ ears: ModelLanes<RecognizerLane>, _ priority: SpeechPriority, _ counters: ServiceCounters,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.ears = ears
        self.onEnd = onEnd
        self.priority = priority
        self.counters = counters
        counters.count { $0.waiting += 1 }
    }

    deinit { end(understood: false) }

    var isCancelled: Bool { state.read { $0.isCancelled } }

    /// A lane when it is its turn; nil once it was cancelled, or no more lanes are wanted. Blocks.
    func lane() throws(EngineFailure) -> RecognizerLane? {
        let ticket = ears.ticket(priority)
        let number = state.update { state -> Int? in
            guard !state.isCancelled, !state.wantsNoLane else { return nil }
            state.next += 1
            state.tickets[state.next] = ticket
            return state.next
        }
        guard let number else {
            ears.giveUp(ticket)
            return nil
        }
        defer { state.update { $0.tickets[number] = nil } }
        guard let lane = try ears.take(ticket) else { return nil }
        let isFirst = state.update { state in
            defer { state.hasBegun = true }
            return !state.hasBegun && !state.hasEnded
        }
        if isFirst {
            counters.count { hearings in
                hearings.waiting -= 1
                hearings.running += 1
            }
        }
        return lane
    }

    /// - Parameter lane: one of ``lane()``.
    func giveBack(_ lane: any HearingLane) {
        if let lane = lane as? RecognizerLane { ears.giveBack(lane) }
    }

    /// What ends the work on it from now on; it is called at once if it was cancelled. It is not called once this has returned
    /// for another one: a lane can be given back then. It calls nothing of this value.
    func stops(by stop: (@Sendable () -> Void)?) {
        let isCancelled = state.update { state in
            state.stop = stop
            return state.isCancelled
        }
        if isCancelled { stop?() }
    }

    /// Whoever waits for a lane soon has none.
    func wantNoLane() {
        let tickets = state.update { state in
            state.wantsNoLane = true
            return state.tickets.values
        }
        for ticket in tickets { ears.giveUp(ticket) }
    }

    /// Whoever has a lane or waits for one soon has none.
    func cancel() {
        let tickets = state.update { state in
            state.isCancelled = true
            // Not later: its lane may be somebody else's by then.
            state.stop?()
            return state.tickets.values
        }
        for ticket in tickets { ears.giveUp(ticket) }
    }

    /// Later calls have no effect.
    ///
    /// - Parameter sound: what the recognizer was given.
    func end(understood isUnderstood: Bool, _ sound: Duration = .zero) {
        let ending = state.update { state -> State? in
            if state.hasEnded { return nil }
            state.hasEnded = true
            return state
        }
        guard let ending else { return }
        counters.count { hearings in
            if ending.hasBegun { hearings.running -= 1 } else { hearings.waiting -= 1 }
            hearings.sound += sound
            if ending.isCancelled {
                hearings.cancelled += 1
            } else if isUnderstood {
                hearings.understood += 1
            } else {
                hearings.failed += 1
            }
        }
        onEnd()
    }
}
