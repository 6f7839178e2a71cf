import Synchronization
package import SynthSystem

/// One client's connection: requests come in with deadlines, bytes go out at a lowest rate. One thread reads and writes; any
/// may stop it.
package final class HTTPConnection: Sendable {
    /// How slow a client may be.
    package struct Patience: Sendable {
        /// Between two requests.
        package var idle = Duration.seconds(75)
        /// From the first byte of a head to its last, and before the rate of a body counts.
        package var head = Duration.seconds(10)
        /// Bytes of a body in a second, at least.
        var bodyRate = 8 << 10
        /// What a body that came faster may be behind later: the longest time in which nothing of it comes.
        var bodyPause = Duration.seconds(60)
        /// For each piece of an answer to be taken.
        package var piece = Duration.seconds(60)
        /// For how long what a refused client still sends is read, so that it can read why it was refused.
        var linger = Duration.seconds(1)

        package init() {}
    }

    /// Of an answer.
    private static let piece = 16 << 10

    private let stream: SocketStream
    private let patience: Patience
    private let reader: Monitor<HTTPRequestReader>
    /// Nothing more is read of a request.
    private let isDeaf = Atomic<Bool>(false)
    private let needsWholeAnswer = Atomic<Bool>(false)
    private let isStopped = Atomic<Bool>(false)

    /// - Parameter longestBody: of the request with this head, in bytes.
    package init(
        _ stream: SocketStream, _ patience: Patience = Patience(),
        longestBody: @escaping @Sendable (HTTPRequestHead) -> Int
    ) {
        self.stream = stream
        self.patience = patience
        reader = Monitor(HTTPRequestReader(longestBody: longestBody))
    }

    /// The host of the other end, as a number; nil = it has none.
    package var peer: String? { stream.peer }

    /// The head of the next request; nil = the client sends none any more. Blocks.
    package func nextHead() throws(HTTPFailure) -> HTTPRequestHead? {
        var deadline = ContinuousClock.now + patience.idle
        var hasBegun = false
        while true {
            if case .head(let head)? = try event() { return head }
            if reader.read({ $0.isClosed }) { return nil }
            if !hasBegun, reader.read({ $0.isInRequest }) {
                hasBegun = true
                deadline = .now + patience.head
            }
            if try !receive(before: deadline, isInRequest: hasBegun) { return nil }
        }
    }

    /// The body of the request whose head came last. Blocks.
    ///
    /// - Parameter makeRoom: asked before more bytes are kept; false = there is no room.
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

    /// The same for a body that is not kept. Blocks.
    ///
    /// - Parameter take: gets it as it comes; false = no more of it is wanted, which is thrown as `full`.
    package func readBody(of head: HTTPRequestHead, _ take: ([UInt8]) -> Bool) throws(HTTPFailure) {
        if head.expectsContinue {
            guard (try? write(HTTPResponse.goOn)) != nil else { throw .lost }
        }
        var deadline = ContinuousClock.now + patience.head
        while true {
            switch try event() {
            case .body(let bytes)?:
                guard take(bytes) else { throw .full }
                deadline += .seconds(Double(bytes.count) / Double(patience.bodyRate))
            case .end?: return
            case .head?: throw .lost
            case nil:
                deadline = min(deadline, .now + patience.bodyPause)
                guard try receive(before: deadline, isInRequest: true) else { throw .lost }
            }
        }
    }

    /// What came after a request that changed the protocol.
    enum Received {
        case bytes([UInt8])
        /// Nothing more comes.
        case ended
        /// Nothing came in time.
        case late
    }

    /// The next bytes, whatever they are, after the last request of HTTP. Blocks.
    func receive(within limit: Duration) -> Received {
        let early = reader.update { $0.takeRest() }
        if !early.isEmpty { return .bytes(early) }
        if isDeaf.load(ordering: .relaxed) { return .ended }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        do {
            let count = try stream.read(into: &bytes, within: limit)
            return count == 0 ? .ended : .bytes(Array(bytes[..<count]))
        } catch {
            return error == .late ? .late : .ended
        }
    }

    /// Blocks until the client has taken it, or the system for it.
    ///
    /// - Throws: `lost`, `stopped`.
    package func write(_ bytes: [UInt8]) throws(HTTPFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.piece)
            rest = rest.dropFirst(piece.count)
            do {
                try stream.write(Array(piece), before: .now + patience.piece)
            } catch {
                throw error == .stopped ? .stopped : .lost
            }
        }
    }

    /// Calls `onLeave`, on another thread, if the client leaves or the connection is stopped while `body` runs.
    ///
    /// - Parameter busy: thrown if the system has nothing left to watch the client with.
    package func whileConnected<Value>(
        orElse busy: any Error, _ onLeave: @escaping @Sendable () -> Void, _ body: () throws -> Value
    ) throws -> Value {
        guard let watch = try? SocketWatch(stream, onLeave) else { throw busy }
        defer { watch.end() }
        return try body()
    }

    /// No more is sent. What the client still sends is read for a moment, so that it can read why.
    package func linger() { stream.linger(for: patience.linger) }

    /// From any thread: whoever waits for a request, or for the rest of one, is told that nothing more comes.
    package func stopReading() {
        isDeaf.store(true, ordering: .relaxed)
        stream.finishReading()
    }

    /// Whether a request has begun and is not whole.
    package var isInRequest: Bool { reader.read { $0.isInRequest } }

    /// Since when the client takes nothing of an answer; nil = nothing waits for it. Any thread.
    package var stalledSince: ContinuousClock.Instant? { stream.stalledSince }

    /// The connection breaks, so that the client does not take what came for the whole answer.
    package func breakOff() { stream.reset() }

    /// Whether an answer is under way that its client would take for the whole if the connection ended as usual.
    package func setNeedsWholeAnswer(_ needsIt: Bool) {
        needsWholeAnswer.store(needsIt, ordering: .sequentiallyConsistent)
        // It may have been stopped since it was looked at.
        if needsIt, isStopped.load(ordering: .sequentiallyConsistent) { breakOff() }
    }

    /// From any thread.
    package func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        if needsWholeAnswer.load(ordering: .sequentiallyConsistent) { breakOff() }
        stream.stop()
    }

    private func event() throws(HTTPFailure) -> HTTPRequestReader.Event? {
        try rethrowing(reader.update { reader throws(HTTPRefusal) in try reader.next() }, as: HTTPFailure.refused)
    }

    /// False if the client sends nothing more.
    private func receive(before deadline: ContinuousClock.Instant, isInRequest: Bool) throws(HTTPFailure) -> Bool {
        if isDeaf.load(ordering: .relaxed) { return false }
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

/// Why a request does not come, or an answer does not reach the client.
package enum HTTPFailure: Error, Equatable, Sendable {
    case refused(HTTPRefusal)
    /// Whether a request has begun.
    case late(isInRequest: Bool)
    /// There is no room for its body.
    case full
    /// The client is gone, or takes nothing.
    case lost
    /// `stop` was called while an answer was written.
    case stopped
    /// A header of an answer, by this name, would end its line, or is no header.
    case headerName(String)
    /// The value of this header of an answer.
    case headerValue(of: String)
    /// More was written than the head of an answer announced.
    case bodyTooLong
    /// Bytes are missing that the head announced. The connection must be closed, so that the other end sees it.
    case bodyTooShort(by: Int)
}
