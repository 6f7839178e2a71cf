import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthService
import SynthSystem

/// A lane that a client borrows. Its utterances take turns with all other utterances of the service. Call `take` from a
/// single thread.
final class LaneLease: Sendable {
    private struct State {
        var requests: [(request: LaneRequest, isReplaceable: Bool)] = []
        /// Stops the current work without blocking.
        var stop: (@Sendable () -> Void)?
        /// The serial number of the current utterance, or nil if there is none.
        var serial: UInt64?
        var count: CountedSpeech?
        /// The highest serial number of a cancelled utterance. All earlier utterances are also cancelled.
        var cancelled: UInt64 = 0
        /// Whether the lane is loading or speaking.
        var isBusy = false
        var lastUse: ContinuousClock.Instant?
        var isAsked = false
        var isClosed = false
        var threads = 0
    }
    private let service: SpeechService
    private let connection: WyomingConnection
    private let outbox = LaneOutbox()
    private let state = Monitor(State())

    /// The maximum number of pending requests. Well-behaved clients wait for one utterance to end before they request
    /// the next.
    private static let maximumRequests = 2

    init(_ service: SpeechService, _ connection: WyomingConnection) {
        self.service = service
        self.connection = connection
    }

    var isBusy: Bool { state.read { $0.isBusy } }

    /// When the last utterance ended, or nil if there has been none.
    var lastUse: ContinuousClock.Instant? { state.read { $0.lastUse } }

    func take(_ event: WyomingEvent) {
        switch event.type {
        case LaneEvent.ask: grant(event)
        case LaneEvent.utterance:
            let isTaken = state.update { state in
                guard let request: LaneRequest = event.value(), request.serial > 0,
                    state.requests.count < Self.maximumRequests
                else {
                    return false
                }
                state.requests.append((request, event.isReplaceable))
                return true
            }
            if !isTaken { connection.stop() }
        case LaneEvent.cancel:
            guard let serial = event.number("serial").flatMap({ UInt64(exactly: $0) }) else { return }
            state.update { state in
                state.cancelled = max(state.cancelled, serial)
                // Hold the lock while stopping, so that a later utterance is not cancelled by mistake.
                if let current = state.serial, current <= serial {
                    state.count?.cancel()
                    state.stop?()
                }
            }
        default: break
        }
    }

    private func grant(_ event: WyomingEvent) {
        let isFirst = state.update { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
        guard isFirst, let plugin = event.text("plugin"), let load: LoadRequest = event.value() else {
            return connection.stop()
        }
        let priority = event.number("priority").flatMap { Int(exactly: $0) }.flatMap(SpeechPriority.init) ?? .normal
        guard event.identity == service.identity, let pool = service.lanes(of: plugin, load) else {
            answer(LaneEvent.differs(service.identity))
            return
        }
        guard answer(WyomingEvent(type: LaneEvent.welcome)) else { return }
        state.update { state in
            state.isBusy = true
            state.threads = 2
        }
        let isReplaceable = event.isReplaceable
        start("lent-lane") { self.speak(pool, priority, isReplaceable) }
        start("lent-sound") { self.send() }
    }

    /// Sends an event. If sending fails, closes the connection, so that the client does not wait for the event, and
    /// returns false.
    @discardableResult
    private func answer(_ event: WyomingEvent) -> Bool {
        if (try? connection.send(event)) != nil { return true }
        connection.stop()
        return false
    }

    private func start(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let isServed = startThread(name) { [self] in
            work()
            state.update { $0.threads -= 1 }
        }
        if isServed { return }
        state.update { $0.threads -= 1 }
        connection.stop()
    }

    // MARK: - Lane threads

    private func speak(_ pool: LanePool, _ priority: SpeechPriority, _ isReplaceable: Bool) {
        let lane = SharedLane(pool, priority, into: outbox)
        do {
            let ticket = pool.ticket(priority)
            let isClosed = state.update { state in
                state.stop = { pool.giveUp(ticket) }
                return state.isClosed
            }
            if isClosed { pool.giveUp(ticket) }
            guard try pool.load(ticket, whileReplaceable: { isReplaceable }) else { return }
            state.update { $0.stop = lane.cancel }
            service.noteUse()
            _ = outbox.put(WyomingEvent(type: LaneEvent.ready))
        } catch {
            // No lane is available. The client will retry on another connection.
            _ = outbox.put(LaneEvent.failure(error))
            state.update { $0.isBusy = false }
            return
        }
        while let (request, isReplaceable) = next() {
            _ = outbox.put(end(of: request, isReplaceable, on: lane))
            service.noteUse()
        }
    }

    /// Speaks an utterance and returns the event that ends it.
    private func end(of request: LaneRequest, _ isReplaceable: Bool, on lane: SharedLane) -> WyomingEvent {
        let serial = request.serial
        let count = service.counters.begin(isTimed: request.isAwaited)
        defer { count.end() }
        state.update { $0.count = count }
        var (frames, channels) = (0, 1)
        do {
            let isSpoken = try lane.speak(
                request, unless: { state.read { $0.isClosed || $0.cancelled >= serial } },
                whileReplaceable: { isReplaceable }
            ) { part in
                switch part {
                case .begin(let rate, let count):
                    channels = max(count, 1)
                    return outbox.put(
                        LaneEvent.part(.begin(serial: serial, sampleRate: UInt32(rate), channels: UInt32(count))))
                case .audio(let samples):
                    if frames == 0 { count.sounds() }
                    frames += samples.count / channels
                    return outbox.put(LaneEvent.part(.audio(serial: serial, samples)))
                case .event(let event): return outbox.put(LaneEvent.part(.event(serial: serial, event)))
                }
            }
            return LaneEvent.part(.end(serial: serial, frameCount: UInt64(frames), isSpoken ? .done : .cancelled))
        } catch {
            return LaneEvent.failure(error)
        }
    }

    /// Returns the next request, or nil if the connection is closed. Blocks.
    private func next() -> (request: LaneRequest, isReplaceable: Bool)? {
        let next: (request: LaneRequest, isReplaceable: Bool)?? = state.wait { state in
            state.serial = nil
            state.count = nil
            if state.isClosed { return .some(nil) }
            state.isBusy = !state.requests.isEmpty
            if !state.isBusy { state.lastUse = .now }
            if state.requests.isEmpty { return nil }
            let next = state.requests.removeFirst()
            state.serial = next.request.serial
            return next
        }
        return next ?? nil
    }

    private func send() {
        while let events = outbox.take(within: .seconds(1)) {
            do {
                for event in events { try connection.send(event) }
                if events.isEmpty, isBusy { try connection.send(WyomingEvent(type: LaneEvent.alive)) }
            } catch {
                return connection.stop()
            }
        }
    }

    // MARK: - Shutdown

    /// Stops the current utterance without waiting for its end. May be called from any thread.
    func close() {
        outbox.close()
        state.update { state in
            state.isClosed = true
            state.stop?()
        }
    }

    /// Blocks until the threads have ended. Call `close` first.
    func waitForEnd() { _ = state.wait { $0.threads == 0 ? true : nil } }
}
