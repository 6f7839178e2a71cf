import SynthEngineProcesses
import SynthEngineWire
package import SynthHost
package import SynthJSON
import SynthSystem

/// Provides lanes of this user's service if it is running with the same configuration as this program. Otherwise, this
/// program opens its own lanes.
package struct ResidentLanes: LaneSource {
    /// The origin of a lane.
    package enum Use: Equatable, Sendable {
        case service
        /// The service has a different configuration. `differing` contains the lines of the program's host identity
        /// that differ from the service's identity.
        case own(differing: [String])
        /// The service ended during an utterance.
        case lost
    }
    private let socket: String
    private let identity: HostIdentity
    private let priority: SpeechPriority
    private let timeout: Duration
    private let onUse: @Sendable (Use) -> Void

    /// - Parameters:
    ///   - socket: the path of the service's socket, which need not exist.
    ///   - timeout: the timeout for sending to and receiving from the service.
    ///   - onUse: called on any thread when a lane is opened and when the service is lost.
    package init(
        at socket: String, _ identity: HostIdentity, _ priority: SpeechPriority,
        timeout: Duration = ResidentLanes.timeout, onUse: @escaping @Sendable (Use) -> Void = { _ in }
    ) {
        self.socket = socket
        self.identity = identity
        self.priority = priority
        self.timeout = timeout
        self.onUse = onUse
    }

    package func lanes(of model: ModelKey, limit: Int, open: @escaping LanePool.Open) -> LanePool {
        LanePool(limit: limit, open: opening(model, open))
    }

    /// Returns a function that opens a lane of the service, or calls `open` if that is not possible.
    package func opening(_ model: ModelKey, _ open: @escaping LanePool.Open) -> LanePool.Open {
        { isReplaceable throws(EngineFailure) in
            if let lane = try lane(of: model, isReplaceable: isReplaceable(), open) { return lane }
            return try open(isReplaceable)
        }
    }

    /// Opens a lane of the service. Returns nil if no service with the same configuration is running.
    private func lane(
        of model: ModelKey, isReplaceable: Bool, _ open: @escaping LanePool.Open
    ) throws(EngineFailure) -> ResidentLane? {
        guard let stream = try? SocketStream(to: .unix(socket), within: timeout), stream.isOfThisUser else {
            return nil
        }
        let connection = WyomingConnection(stream, longestData: 1 << 20, timeout: timeout)
        let question = LaneEvent.ask(model, identity, priority, isReplaceable: isReplaceable)
        switch try? answer(to: question, on: connection) {
        case .ready?:
            onUse(.service)
            return ResidentLane(connection, timeout, openOwn: open) { [onUse] in onUse(.lost) }
        case .failed(let failure)?:
            // Even if the service cannot start the engine, this program may be able to.
            if case .notStarted = failure.reason { return nil }
            onUse(.service)
            throw failure
        case .differs(let theirs)?:
            onUse(.own(differing: identity.lines.filter { !theirs.lines.contains($0) }))
            return nil
        case nil: return nil
        }
    }

    private enum Answer {
        case ready
        case failed(EngineFailure)
        case differs(HostIdentity)
    }

    /// Requests a lane and waits for the answer. Returns nil if the service has ended or the socket belongs to another
    /// program.
    private func answer(to question: WyomingEvent, on connection: WyomingConnection) throws -> Answer? {
        try connection.send(question)
        // A working service sends an event every second.
        while let event = try connection.nextOfService(within: timeout) {
            switch event.type {
            case LaneEvent.ready: return .ready
            case LaneEvent.failure: return event.value(EngineFailure.self).map { .failed($0) }
            case LaneEvent.differs: return .differs(event.identity ?? HostIdentity(lines: []))
            default: continue
            }
        }
        return nil
    }

    /// How long to wait for a service that starts slowly or runs on a busy machine. If the service exits or is
    /// suspended, the wait ends almost immediately.
    package static let timeout = Duration.seconds(20)
}

/// A lane of the service. If the service ends during an utterance, this program opens its own lane and speaks the rest
/// of the utterance.
final class ResidentLane: SpeakingLane {
    private struct State {
        var serial: UInt64 = 0
        var cancelled: UInt64 = 0
        /// Whether the service has ended.
        var isLost = false
        var own: (any SpeakingLane)?
    }
    private let connection: WyomingConnection
    private let timeout: Duration
    private let openOwn: LanePool.Open
    private let onLoss: @Sendable () -> Void
    private let state = Monitor(State())

    /// - Parameters:
    ///   - connection: the connection over which the service has leased a lane.
    ///   - timeout: the timeout for the next event from the service.
    ///   - onLoss: called once, when the service has ended.
    init(
        _ connection: WyomingConnection, _ timeout: Duration, openOwn: @escaping LanePool.Open,
        onLoss: @escaping @Sendable () -> Void
    ) {
        self.connection = connection
        self.timeout = timeout
        self.openOwn = openOwn
        self.onLoss = onLoss
    }

    deinit { connection.stop() }

    var isAlive: Bool {
        let (own, isLost) = state.read { ($0.own, $0.isLost) }
        return own?.isAlive ?? (!isLost && !connection.hasEnded)
    }

    func cancel() {
        let (serial, own) = state.update { state in
            state.cancelled = state.serial
            return (state.serial, state.own)
        }
        if let own { return own.cancel() }
        do {
            try connection.send(LaneEvent.cancel(serial), within: .milliseconds(100))
        } catch {
            // If the service cannot receive even this event, the connection is lost.
            connection.stop()
        }
    }

    func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        if let own = state.read({ $0.own }) {
            return try own.speak(request, unless: isStopped, whileReplaceable: isReplaceable, part)
        }
        var request = request
        request.serial = state.update { state in
            state.serial += 1
            return state.serial
        }
        if isStopped() { return false }
        var heard = LeasedAudio()
        let isHeard = (try? connection.send(LaneEvent.utterance(request, isReplaceable: isReplaceable()))) != nil
        if isHeard, let isSpoken = try listen(request.serial, &heard, part) { return isSpoken }
        return try speakHere(request, heard, unless: isStopped, isReplaceable, part)
    }

    /// Receives the parts of an utterance. Returns nil if the service has ended.
    private func listen(
        _ serial: UInt64, _ heard: inout LeasedAudio, _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool? {
        while let event = try? connection.nextOfService(within: timeout) {
            switch event.type {
            case LaneEvent.part:
                guard let reply: LaneReply = event.value() else { return nil }
                if reply.serial != serial { continue }
                switch reply {
                case .begin(_, let rate, let channels):
                    pass(.begin(sampleRate: Int(rate), channels: Int(channels)), &heard, part)
                case .audio(_, let samples): pass(.audio(samples), &heard, part)
                case .event(_, let event): pass(.event(event), &heard, part)
                case .end(_, _, .done): return !isCancelled(serial)
                case .end: return false
                }
            case LaneEvent.failure:
                guard let failure: EngineFailure = event.value() else { return nil }
                if isCancelled(serial) { return false }
                throw failure
            default: continue
            }
        }
        return nil
    }

    /// Records a part and forwards it, unless the utterance has been cancelled.
    private func pass(_ piece: SpeechPart, _ heard: inout LeasedAudio, _ part: (SpeechPart) -> Bool) {
        heard.add(piece)
        if !isCancelled(), !part(piece) { cancel() }
    }

    private func speakHere(
        _ request: LaneRequest, _ heard: LeasedAudio, unless isStopped: () -> Bool, _ isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        connection.stop()
        state.update { $0.isLost = true }
        if isCancelled(request.serial) || isStopped() { return false }
        onLoss()
        let own = try openOwn(isReplaceable)
        state.update { $0.own = own }
        var rest = heard
        return try own.speak(
            request, unless: { isStopped() || isCancelled(request.serial) }, whileReplaceable: isReplaceable
        ) { piece in rest.remove(from: piece).map(part) ?? true }
    }

    private func isCancelled(_ serial: UInt64? = nil) -> Bool {
        state.read { $0.cancelled >= serial ?? $0.serial }
    }
}

/// Tracks how much of an utterance has been received, so that a second synthesis can skip the audio that the client
/// already has.
struct LeasedAudio {
    private var channels = 0
    private var frames = 0
    private var events = 0

    mutating func add(_ part: SpeechPart) {
        switch part {
        case .begin(_, let channels): self.channels = channels
        case .audio(let samples): frames += samples.count / max(channels, 1)
        case .event: events += 1
        }
    }

    /// Removes from a part the audio frames and events that have already been received. Returns nil if nothing remains.
    /// Call this method with the parts of the second synthesis in order.
    mutating func remove(from part: SpeechPart) -> SpeechPart? {
        switch part {
        case .begin: return channels > 0 ? nil : part
        case .event:
            if events == 0 { return part }
            events -= 1
            return nil
        case .audio(let samples):
            let heard = min(frames, samples.count / max(channels, 1))
            frames -= heard
            let rest = Array(samples.dropFirst(heard * max(channels, 1)))
            return rest.isEmpty ? nil : .audio(rest)
        }
    }
}

/// The status of this user's service.
package struct ResidentStatus: Sendable {
    /// The JSON object documented at `ServiceFigures`.
    package let figures: JSONNode

    /// Queries the service. Returns nil if it does not respond. Connecting, sending and receiving may each block for up
    /// to `ResidentLanes.timeout`.
    package init?(at socket: String) {
        guard let stream = try? SocketStream(to: .unix(socket), within: ResidentLanes.timeout), stream.isOfThisUser
        else { return nil }
        let connection = WyomingConnection(stream, longestData: 1 << 20, timeout: ResidentLanes.timeout)
        guard (try? connection.send(WyomingEvent(type: Self.event))) != nil else { return nil }
        let deadline = ContinuousClock.now + ResidentLanes.timeout
        while ContinuousClock.now < deadline, let event = try? connection.nextOfService(within: ResidentLanes.timeout) {
            guard event.type == Self.event else { continue }
            figures = JSONNode(.object(event.data))
            return
        }
        return nil
    }

    /// The event type of the request and of the response.
    static let event = "synthhost-status"
}
