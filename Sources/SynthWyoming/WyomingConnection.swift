package import SynthService
package import SynthSystem

/// Either end of a Wyoming connection, the client's or the server's. A single thread reads, and any thread may send
/// events or stop the connection.
final class WyomingConnection: Sendable {
    private let stream: SocketStream
    private let timeout: Duration
    private let sending = Lock()
    private let lastSent = Monitor(ContinuousClock.now)
    private let reading: Monitor<WyomingReader>

    /// - Parameters:
    ///   - longestData: the maximum size of the data in an incoming event, in bytes.
    ///   - timeout: the timeout for sending while the peer is not receiving anything.
    init(_ stream: SocketStream, longestData: Int, timeout: Duration) {
        self.stream = stream
        self.timeout = timeout
        reading = Monitor(WyomingReader(longestData: longestData))
    }

    /// Returns the next event, or nil if the peer has closed its end of the connection. Blocks.
    ///
    /// - Parameter limit: the timeout, or nil for none.
    func next(within limit: Duration? = nil) throws(SocketError) -> WyomingEvent? { try next { limit } }

    /// - Parameter deadline: the time at which the wait ends, or nil for no deadline.
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

    /// Returns the next event from this user's service, or nil if the service has closed its end of the connection. A
    /// working service sends an event every second, even when it is busy. Blocks.
    ///
    /// - Parameter limit: the timeout. If the service's process is suspended by a signal, the call fails much earlier.
    func nextOfService(within limit: Duration) throws(SocketError) -> WyomingEvent? {
        let deadline = ContinuousClock.now + limit
        while true {
            do {
                return try next(within: min(Self.pollInterval, max(.zero, deadline - .now)))
            } catch {
                guard error == .late, .now < deadline, !stream.isOfStoppedProcess else { throw error }
            }
        }
    }

    /// How often to check whether the peer was suspended by a signal.
    private static let pollInterval = Duration.milliseconds(100)

    /// Sends an event. Blocks while the peer is not receiving.
    ///
    /// - Parameter limit: the timeout, or nil for the connection's `timeout`.
    func send(_ event: WyomingEvent, within limit: Duration? = nil) throws(SocketError) {
        try send(event.bytes, within: limit)
    }

    /// Sends encoded events.
    func send(_ bytes: [UInt8], within limit: Duration? = nil) throws(SocketError) {
        try sending.withLock { () throws(SocketError) in
            try stream.write(bytes, within: limit ?? timeout)
            lastSent.update { $0 = .now }
        }
    }

    /// When the peer stopped receiving data, or nil if no data is pending. May be read from any thread.
    var stalledSince: ContinuousClock.Instant? { stream.stalledSince }

    /// When the peer last received data. May be read from any thread.
    var lastTaken: ContinuousClock.Instant { lastSent.read { $0 } }

    /// Stops reading, so that a blocked `next` returns nil. May be called from any thread.
    func stopReading() { stream.finishReading() }

    /// Stops sending but briefly continues reading, so that the peer can receive the data already sent.
    func linger() { stream.linger(for: .seconds(1)) }

    /// Whether the peer has closed its end.
    var hasEnded: Bool { stream.hasEnded }

    /// Stops reading and sending. May be called from any thread.
    func stop() { stream.stop() }
}

extension ConnectionServer {
    /// Creates a server for the Wyoming protocol.
    ///
    /// - Parameters:
    ///   - listing: which voices to list.
    ///   - leasesLanes: whether clients may use engines directly. Pass true only for a socket to which no other user
    ///     can connect.
    ///   - transcription: the transcription service, or nil if there is none.
    package static func wyoming(
        _ listener: SocketListener, _ service: SpeechService, _ words: ServiceMessages,
        listing: WyomingListing = .usual, leasesLanes: Bool = false, transcription: TranscriptionService? = nil
    ) -> ConnectionServer {
        let voices = WyomingVoices(service, words, listing, transcription: transcription)
        let limits = ConnectionServer.Limits(clients: service.limits.clients, reserve: service.limits.reserve)
        return ConnectionServer(listener, limits) { stream, isReserved in
            if leasesLanes, !stream.isOfThisUser { stream.stop() }
            return WyomingClient(
                stream, service, words, voices, leasesLanes: leasesLanes, transcription: transcription,
                isReserved: isReserved)
        }
    }
}
