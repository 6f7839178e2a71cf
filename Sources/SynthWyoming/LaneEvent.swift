import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthJSON
import SynthService
import SynthSystem

/// Wyoming events that let programs of the same user use a service's engines directly. Each connection borrows one lane
/// and sends utterances to it in sequence.
enum LaneEvent {
    /// Requests a lane. The data contains the client's host identity, the engine's file and the priority. The payload
    /// is the load request.
    static let ask = "synthhost-lane"
    /// Confirms a lane request. Once loading has finished, which may take a while, `ready` or an error follows.
    static let welcome = "synthhost-welcome"
    /// Reports that the service has a different configuration, so its audio would differ.
    static let differs = "synthhost-differs"
    static let ready = "synthhost-ready"
    /// Requests an utterance. The payload is a lane request.
    static let utterance = "synthhost-utterance"
    /// Cancels the given utterance and all earlier ones.
    static let cancel = "synthhost-cancel"
    /// Part of an utterance. The payload is a reply from the lane.
    static let part = "synthhost-part"
    /// Reports that the engine failed while loading or speaking. The payload is the failure.
    static let failure = "synthhost-failure"
    /// A keep-alive event, sent every second while the client is waiting and there are no other events to send.
    static let alive = "synthhost-alive"

    /// - Parameter isReplaceable: whether another engine can take over, in which case the timeout for an unresponsive
    ///   engine is shorter.
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
    /// The host identity in an `ask` or `differs` event, or nil if there is none.
    var identity: HostIdentity? {
        guard case .array(let nodes)? = self["host"] else { return nil }
        var lines: [String] = []
        for node in nodes {
            guard case .string(let line) = node.value else { return nil }
            lines.append(line)
        }
        return HostIdentity(lines: lines)
    }

    /// Whether another engine can take over, in which case the timeout for an unresponsive engine is shorter.
    var isReplaceable: Bool { self["replaceable"] == .boolean(true) }

    /// Decodes the payload. Returns nil if it is malformed.
    func value<Value: Frame>(_: Value.Type = Value.self) -> Value? { try? Value(frameBytes: payload[...]) }
}

/// A bounded queue of a lane's events for a client. The queue's limit is raised while another client is waiting for the
/// lane. One thread adds events, another removes them, and any thread may close the queue.
final class LaneOutbox: ExpandableBuffer {
    private struct State {
        var events: [WyomingEvent] = []
        var bytes = 0
        var isExpanded = false
        var isClosed = false
    }
    private let state = Monitor(State())

    /// The usual limit in bytes: one or two seconds of audio.
    private static let usualBytes = 256 << 10
    /// The limit in bytes while another client is waiting: one or two minutes of audio. It bounds memory use even if
    /// many clients do not read their events.
    private static let expandedBytes = 8 << 20

    /// Adds an event. Blocks while the queue is full. Returns false if the queue is closed.
    func put(_ event: WyomingEvent) -> Bool {
        state.wait { state -> Bool? in
            if state.isClosed { return false }
            guard state.bytes < (state.isExpanded ? Self.expandedBytes : Self.usualBytes) else { return nil }
            state.events.append(event)
            state.bytes += event.payload.count
            return true
        } ?? false
    }

    /// Returns the events added since the last call. The result is empty after a timeout, and nil if the queue is
    /// closed.
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
            return state.bytes < Self.usualBytes ? true : nil
        } ?? false
    }

    func setExpanded(_ isExpanded: Bool) { state.update { $0.isExpanded = isExpanded } }

    /// Drops the queued events and closes the queue.
    func close() {
        state.update { state in
            state.isClosed = true
            state.events = []
        }
    }
}
