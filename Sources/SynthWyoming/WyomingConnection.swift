package import SynthService
package import SynthSystem

/// One end of a conversation in Wyoming. One thread reads; any may send and stop.
final class WyomingConnection: Sendable {
    private let stream: SocketStream
    private let patience: Duration
    private let sending = Lock()
    private let lastSent = Monitor(ContinuousClock.now)
    private let reading: Monitor<WyomingReader>

    /// - Parameters:
    ///   - longestData: of an event that comes.
    ///   - patience: how long the other end may take nothing.
    init(_ stream: SocketStream, longestData: Int, patience: Duration) {
        self.stream = stream
        self.patience = patience
        reading = Monitor(WyomingReader(longestData: longestData))
    }

    /// The next event; nil = the other end sends nothing more. Blocks.
    ///
    /// - Parameter limit: how long nothing may come; nil = for ever.
    func next(within limit: Duration? = nil) throws(SocketError) -> WyomingEvent? { try next { limit } }

    /// - Parameter deadline: until when what has not come yet must come; nil = there is none.
    func next(before deadline: ContinuousClock.Instant?) throws(SocketError) -> WyomingEvent? {
        try next { deadline.map { max(.zero, $0 - .now) } }
    }

    private func next(_ limit: () -> Duration?) throws(SocketError) -> WyomingEvent? {
        while true {
            if let event = try reading.update({ reader throws(SocketError) in try reader.next() }) { return event }
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let count = try stream.read(into: &bytes, within: limit())
            bytes.removeSubrange(count...)
            if bytes.isEmpty { return nil }
            reading.update { $0.append(bytes) }
        }
    }

    /// The next event of a service of this user, which says something each second while it works; nil = it sends nothing more.
    /// A service that is only busy is waited for. Blocks.
    ///
    /// - Parameter limit: how long nothing may come. One that a signal has stopped is given up much sooner.
    func nextOfService(within limit: Duration) throws(SocketError) -> WyomingEvent? {
        let deadline = ContinuousClock.now + limit
        while true {
            do {
                return try next(within: min(Self.glance, max(.zero, deadline - .now)))
            } catch {
                guard error == .late, .now < deadline, !stream.isOfStoppedProcess else { throw error }
            }
        }
    }

    /// After this time without an event it is looked whether the other end was stopped.
    private static let glance = Duration.milliseconds(100)

    /// Blocks while the other end takes nothing.
    ///
    /// - Parameter limit: for how long; nil = the patience of the conversation.
    func send(_ event: WyomingEvent, within limit: Duration? = nil) throws(SocketError) {
        try send(event.bytes, within: limit)
    }

    /// The same for events as they are sent.
    func send(_ bytes: [UInt8], within limit: Duration? = nil) throws(SocketError) {
        try sending.withLock { () throws(SocketError) in
            try stream.write(bytes, within: limit ?? patience)
            lastSent.update { $0 = .now }
        }
    }

    /// Since when the other end takes nothing; nil = nothing waits for it. Any thread.
    var stalledSince: ContinuousClock.Instant? { stream.stalledSince }

    /// When the other end took something last. Any thread.
    var lastTaken: ContinuousClock.Instant { lastSent.read { $0 } }

    /// From any thread: who waits for an event is told that none comes.
    func stopReading() { stream.finishReading() }

    /// Sends nothing more; what the other end still sends is read for a moment, so that it can read what was sent.
    func linger() { stream.linger(for: .seconds(1)) }

    /// Whether the other end sends nothing more.
    var hasEnded: Bool { stream.hasEnded }

    /// From any thread: reading and sending end.
    func stop() { stream.stop() }
}

extension Door {
    /// Lets clients in that speak Wyoming.
    ///
    /// - Parameters:
    ///   - listing: which voices they are told of.
    ///   - lendsLanes: for a socket that only this user reaches: its programs may speak on the engines themselves, and nobody
    ///     else comes in.
    ///   - hearing: what understands sound; nil = nobody does.
    package static func wyoming(
        _ listener: SocketListener, _ service: SpeechService, _ words: ServiceWords,
        listing: WyomingListing = .usual, lendsLanes: Bool = false, hearing: HearingService? = nil
    ) -> Door {
        let voices = WyomingVoices(service, words, listing, hearing: hearing)
        let limits = Door.Limits(clients: service.limits.clients, reserve: service.limits.reserve)
        return Door(listener, limits) { stream, isReserved in
            if lendsLanes, !stream.isOfThisUser { stream.stop() }
            return WyomingClient(
                stream, service, words, voices, lendsLanes: lendsLanes, hearing: hearing, isReserved: isReserved)
        }
    }
}
