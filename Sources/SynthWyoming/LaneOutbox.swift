import SynthHost
import SynthSystem

/// Events of a lane on their way to a client: a bounded amount, unless somebody else waits for the lane. One thread puts them
/// in, one takes them out; any may close it.
final class LaneOutbox: HurriedSound {
    private struct State {
        var events: [WyomingEvent] = []
        var bytes = 0
        var isHurried = false
        var isClosed = false
    }
    private let state = Monitor(State())

    /// A second or two of sound.
    private static let roomyBytes = 256 << 10
    /// A minute or two: many clients that read nothing must not have all memory.
    private static let hurriedBytes = 8 << 20

    /// Blocks while it is full; false once it is closed.
    func put(_ event: WyomingEvent) -> Bool {
        state.wait { state -> Bool? in
            if state.isClosed { return false }
            guard state.bytes < (state.isHurried ? Self.hurriedBytes : Self.roomyBytes) else { return nil }
            state.events.append(event)
            state.bytes += event.payload.count
            return true
        } ?? false
    }

    /// What came since the last call; empty after the limit, nil once it is closed.
    func take(within limit: Duration) -> [WyomingEvent]? {
        let events: [WyomingEvent]?? = state.wait(timeout: limit) { state in
            if state.isClosed { return .some(nil) }
            if state.events.isEmpty { return nil }
            defer {
                state.events = []
                state.bytes = 0
            }
            return state.events
        }
        return events ?? []
    }

    func waitForRoom() -> Bool {
        state.wait { state -> Bool? in
            if state.isClosed { return false }
            return state.bytes < Self.roomyBytes ? true : nil
        } ?? false
    }

    func setHurried(_ isHurried: Bool) { state.update { $0.isHurried = isHurried } }

    /// What it holds is dropped.
    func close() {
        state.update { state in
            state.isClosed = true
            state.events = []
        }
    }
}
