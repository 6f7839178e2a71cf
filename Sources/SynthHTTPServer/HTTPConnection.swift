import Synchronization
package import SynthSystem

/// A client connection with timeouts and a minimum transfer rate for requests, and a timeout for each chunk of a
/// response. One thread reads and writes; any thread may stop the connection.
package final class HTTPConnection: Sendable {
    /// Timeouts for slow clients.
    package struct Timeouts: Sendable {
        /// The timeout between requests.
        package var idle = Duration.seconds(75)
        /// The timeout for a request head, measured from its first byte. Also the time after which the transfer rate of
        /// a body is first checked.
        package var head = Duration.seconds(10)
        /// The minimum transfer rate of a request body, in bytes per second.
        var bodyRate = 8 << 10
        /// The maximum pause between the chunks of a request body, regardless of its average transfer rate.
        var bodyPause = Duration.seconds(60)
        /// The timeout for sending a chunk of a response.
        package var piece = Duration.seconds(60)
        /// How long to continue reading from a rejected client, so that it can receive the error response.
        var linger = Duration.seconds(1)

        package init() {}
    }

    /// The maximum number of bytes to write at a time.
    private static let piece = 16 << 10

    private let stream: SocketStream
    private let timeouts: Timeouts
    private let reader: Monitor<HTTPRequestReader>
    private let stopsReading = Atomic<Bool>(false)
    private let needsWholeAnswer = Atomic<Bool>(false)
    private let isStopped = Atomic<Bool>(false)

    /// - Parameter longestBody: returns the maximum body size in bytes for a request head.
    package init(
        _ stream: SocketStream, _ timeouts: Timeouts = Timeouts(),
        longestBody: @escaping @Sendable (HTTPRequestHead) -> Int
    ) {
        self.stream = stream
        self.timeouts = timeouts
        reader = Monitor(HTTPRequestReader(longestBody: longestBody))
    }

    /// The numeric IP address of the peer, or nil if it has none.
    package var peer: String? { stream.peer }

    /// Reads the head of the next request. Returns nil if the client has finished sending. Blocks.
    package func nextHead() throws(HTTPFailure) -> HTTPRequestHead? {
        var deadline = ContinuousClock.now + timeouts.idle
        var hasBegun = false
        while true {
            if case .head(let head)? = try event() { return head }
            if reader.read({ $0.isClosed }) { return nil }
            if !hasBegun, reader.read({ $0.isInRequest }) {
                hasBegun = true
                deadline = .now + timeouts.head
            }
            if try !receive(before: deadline, isInRequest: hasBegun) { return nil }
        }
    }

    /// Reads the body of the latest request. Blocks.
    ///
    /// - Parameter makeRoom: called before bytes are stored, with the number of bytes. It returns false if there is not enough memory.
    package func body(of head: HTTPRequestHead, _ makeRoom: (Int) -> Bool = { _ in true }) throws(HTTPFailure)
        -> [UInt8]
    {
        var body: [UInt8] = []
        try readBody(of: head) { bytes in
            guard makeRoom(bytes.count) else { return false }
            body += bytes
            return true
        }
        return body
    }

    /// Reads the body of the latest request without storing it. Blocks.
    ///
    /// - Parameter take: receives the chunks. If it returns false, reading stops and `full` is thrown.
    package func readBody(of head: HTTPRequestHead, _ take: ([UInt8]) -> Bool) throws(HTTPFailure) {
        if head.expectsContinue {
            guard (try? write(HTTPResponse.continueResponse)) != nil else { throw .lost }
        }
        var deadline = ContinuousClock.now + timeouts.head
        while true {
            switch try event() {
            case .body(let bytes)?:
                guard take(bytes) else { throw .full }
                deadline += .seconds(Double(bytes.count) / Double(timeouts.bodyRate))
            case .end?: return
            case .head?: throw .lost
            case nil:
                deadline = min(deadline, .now + timeouts.bodyPause)
                guard try receive(before: deadline, isInRequest: true) else { throw .lost }
            }
        }
    }

    /// The result of a raw read after a protocol upgrade.
    enum Received {
        case bytes([UInt8])
        /// The peer has closed the connection, or the connection was stopped.
        case ended
        /// The read timed out.
        case late
    }

    /// Reads raw bytes after the last HTTP request. Blocks.
    func receive(within limit: Duration) -> Received {
        let early = reader.update { $0.takeRest() }
        if !early.isEmpty { return .bytes(early) }
        if stopsReading.load(ordering: .relaxed) { return .ended }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        do {
            let count = try stream.read(into: &bytes, within: limit)
            return count == 0 ? .ended : .bytes(Array(bytes[..<count]))
        } catch {
            return error == .late ? .late : .ended
        }
    }

    /// Writes bytes. Blocks until they are in the system's send buffer.
    ///
    /// - Throws: `lost`, `stopped`.
    package func write(_ bytes: [UInt8]) throws(HTTPFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.piece)
            rest = rest.dropFirst(piece.count)
            do {
                try stream.write(Array(piece), before: .now + timeouts.piece)
            } catch {
                throw error == .stopped ? .stopped : .lost
            }
        }
    }

    /// Runs `body` and calls `onLeave` on another thread if the client disconnects or the connection is stopped in the
    /// meantime.
    ///
    /// - Parameter busy: the error to throw if the system lacks the resources to monitor the client.
    package func whileConnected<Value>(
        orElse busy: any Error, _ onLeave: @escaping @Sendable () -> Void, _ body: () throws -> Value
    ) throws -> Value {
        guard let watch = try? SocketWatch(stream, onLeave) else { throw busy }
        defer { watch.end() }
        return try body()
    }

    /// Stops sending but briefly continues reading, so that the client can receive the error response.
    package func linger() { stream.linger(for: timeouts.linger) }

    /// Stops reading requests, as if the client had finished sending. May be called from any thread.
    package func stopReading() {
        stopsReading.store(true, ordering: .relaxed)
        stream.finishReading()
    }

    /// Whether a request has begun but has not been read completely.
    package var isInRequest: Bool { reader.read { $0.isInRequest } }

    /// The time when the client stopped receiving a pending response, or nil if the client is receiving data or no
    /// response is pending. May be read from any thread.
    package var stalledSince: ContinuousClock.Instant? { stream.stalledSince }

    /// Resets the connection so that the client does not mistake a partial response for a complete one.
    package func abort() { stream.reset() }

    /// Sets whether the current response has neither a length nor chunks, in which case the client could mistake a
    /// partial response for a complete one. If `stop` is called during such a response, the connection is reset.
    package func setNeedsWholeAnswer(_ needsIt: Bool) {
        needsWholeAnswer.store(needsIt, ordering: .sequentiallyConsistent)
        // `stop` may have been called before the flag was set.
        if needsIt, isStopped.load(ordering: .sequentiallyConsistent) { abort() }
    }

    /// Closes the connection. May be called from any thread.
    package func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        if needsWholeAnswer.load(ordering: .sequentiallyConsistent) { abort() }
        stream.stop()
    }

    private func event() throws(HTTPFailure) -> HTTPRequestReader.Event? {
        try rethrowing(reader.update { reader throws(HTTPRefusal) in try reader.next() }, as: HTTPFailure.refused)
    }

    /// Returns false if the client has finished sending.
    private func receive(before deadline: ContinuousClock.Instant, isInRequest: Bool) throws(HTTPFailure) -> Bool {
        if stopsReading.load(ordering: .relaxed) { return false }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        do {
            let count = try stream.read(into: &bytes, within: max(.zero, deadline - .now))
            if count == 0 { return false }
            reader.update { $0.append(bytes[..<count]) }
            return true
        } catch {
            if error == .late { throw .late(isInRequest: isInRequest) }
            throw .lost
        }
    }
}

/// The reason why a request cannot be read or a response cannot be delivered.
package enum HTTPFailure: Error, Equatable, Sendable {
    case refused(HTTPRefusal)
    /// The request timed out.
    case late(isInRequest: Bool)
    /// There is not enough memory for the body.
    case full
    /// The client has disconnected or has stopped receiving.
    case lost
    /// `stop` was called while a response was being written.
    case stopped
    /// A response header has an invalid name.
    case headerName(String)
    /// The response header with this name has an invalid value.
    case headerValue(of: String)
    /// More bytes were written than the response head declared.
    case bodyTooLong
    /// Fewer bytes were written than the response head declared. The connection must be closed, so that the client detects the truncation.
    case bodyTooShort(by: Int)
}
