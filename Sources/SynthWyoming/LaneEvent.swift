import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthJSON
import SynthService
import SynthSystem

/// The events, beside those of Wyoming, with which a program of this user speaks on the engines of a service itself. A lane is
/// asked for once in a conversation; its utterances come one after the other.
enum LaneEvent {
    /// Asks for a lane: who asks, the engine's file, how urgent it is; the load request as bytes.
    static let ask = "synthhost-lane"
    /// The lane will be there, or an error; it may take a while to load.
    static let welcome = "synthhost-welcome"
    /// The service would speak otherwise than the client itself.
    static let differs = "synthhost-differs"
    static let ready = "synthhost-ready"
    /// A lane request as bytes.
    static let utterance = "synthhost-utterance"
    /// That utterance and every earlier one is to stop.
    static let cancel = "synthhost-cancel"
    /// A reply of the lane as bytes.
    static let part = "synthhost-part"
    /// The engine failed, and how, as bytes: while it loaded, or in the middle of an utterance.
    static let failure = "synthhost-failure"
    /// Each second in which nothing else is sent, though something is awaited.
    static let alive = "synthhost-alive"

    /// - Parameter isReplaceable: whether another engine takes over, so that one that does nothing is given up sooner.
    static func ask(
        _ model: ModelKey, _ identity: HostIdentity, _ priority: SpeechPriority, isReplaceable: Bool = false
    ) -> WyomingEvent {
        WyomingEvent(
            type: ask,
            data: [
                .init("host", .array(identity.lines.map { JSONNode(.string($0)) })), .init("plugin", model.plugin),
                .init("priority", priority.rawValue), .init("replaceable", isReplaceable),
            ], payload: model.load.frameBytes)
    }

    static func differs(_ identity: HostIdentity) -> WyomingEvent {
        WyomingEvent(type: differs, data: [.init("host", .array(identity.lines.map { JSONNode(.string($0)) }))])
    }

    /// - Parameter isReplaceable: as for `ask`.
    static func utterance(_ request: LaneRequest, isReplaceable: Bool = false) -> WyomingEvent {
        WyomingEvent(type: utterance, data: [.init("replaceable", isReplaceable)], payload: request.frameBytes)
    }

    static func part(_ reply: LaneReply) -> WyomingEvent { WyomingEvent(type: part, payload: reply.frameBytes) }

    static func failure(_ engineFailure: EngineFailure) -> WyomingEvent {
        WyomingEvent(type: failure, payload: engineFailure.frameBytes)
    }

    static func cancel(_ serial: UInt64) -> WyomingEvent {
        WyomingEvent(type: cancel, data: [.init("serial", .number(Double(serial)))])
    }
}

extension WyomingEvent {
    /// The host of an `ask` or `differs`; nil = it names none.
    var identity: HostIdentity? {
        guard case .array(let nodes)? = self["host"] else { return nil }
        var lines: [String] = []
        for node in nodes {
            guard case .string(let line) = node.value else { return nil }
            lines.append(line)
        }
        return HostIdentity(lines: lines)
    }

    /// Whether another engine takes over if this one does nothing.
    var isReplaceable: Bool { self["replaceable"] == .boolean(true) }

    /// The value that the payload holds; nil = it is malformed.
    func value<Value: Frame>(_: Value.Type = Value.self) -> Value? { try? Value(frameBytes: payload[...]) }
}

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
