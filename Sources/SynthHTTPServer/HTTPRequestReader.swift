import SynthSystem

/// A push parser for HTTP/1 requests (RFC 9112). Accepts input in chunks of any size, performs no I/O, runs in linear time, and buffers at
/// most one head and the most recently appended bytes.
///
/// Ambiguous input is rejected, so that the server and any proxy in front of it always interpret a request in the same
/// way.
package struct HTTPRequestReader: Sendable {
    /// A parser event.
    package enum Event: Equatable, Sendable {
        case head(HTTPRequestHead)
        /// A chunk of the body; never empty.
        case body([UInt8])
        /// The end of the request.
        case end
    }

    private enum Stage {
        case requestLine
        case headers(HTTPRequestHead)
        case body(HTTPBodyReader, isLast: Bool)
        case closed
    }

    package static let longestRequestLine = 8 << 10
    /// The maximum size of the request line and the headers, including line endings.
    package static let longestHead = 16 << 10
    package static let maximumHeaders = 64

    private let longestBody: @Sendable (HTTPRequestHead) -> Int
    private var buffer = HTTPBuffer()
    private var stage = Stage.requestLine
    private var headLeft = longestHead
    private var failure: HTTPRefusal?

    /// - Parameter longestBody: the maximum body size in bytes, excluding chunk overhead.
    package init(longestBody: Int) { self.init { _ in longestBody } }

    /// - Parameter longestBody: returns the maximum body size in bytes for a request head. Called before the body is read.
    package init(longestBody: @escaping @Sendable (HTTPRequestHead) -> Int) { self.longestBody = longestBody }

    /// Whether a request has begun but has not been returned completely.
    package var isInRequest: Bool {
        switch stage {
        case .requestLine: !buffer.isEmpty
        case .headers, .body: true
        case .closed: false
        }
    }

    /// Whether parsing has ended because the last request closes the connection.
    package var isClosed: Bool {
        if case .closed = stage { true } else { false }
    }

    /// Appends received bytes. Call this when ``next()`` has returned nil. Unconsumed bytes stay in the buffer.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if !isClosed, failure == nil { buffer.append(bytes) }
    }

    /// Returns the data that follows a protocol upgrade and ends parsing.
    mutating func takeRest() -> [UInt8] {
        stage = .closed
        return buffer.take(atMost: .max)
    }

    /// Returns the next event, or nil if more bytes are needed or parsing has ended. After an error, every call throws the same error.
    ///
    /// Supports pipelining: the event after `end` belongs to the next request. Respond to the previous request before you call this method
    /// for the next request.
    package mutating func next() throws(HTTPRefusal) -> Event? {
        if let failure { throw failure }
        do {
            return try read()
        } catch {
            failure = error
            buffer.clear()
            throw error
        }
    }

    private mutating func read() throws(HTTPRefusal) -> Event? {
        while true {
            switch stage {
            case .requestLine:
                // Reject other protocols at the first byte.
                if let first = buffer.first, !HTTPHeaders.isTokenByte(first) { throw .method }
                guard let line = try buffer.takeLine(atMost: Self.longestRequestLine, else: .requestLineTooLong) else {
                    return nil
                }
                headLeft = Self.longestHead - line.count - 2
                stage = .headers(try HTTPRequestHead(requestLine: line))
            case .headers(var head):
                guard let line = try buffer.takeLine(atMost: headLeft - 2, else: .headTooLong) else { return nil }
                headLeft -= line.count + 2
                if line.isEmpty {
                    let longest = longestBody(head)
                    try head.finish(longestBody: longest)
                    stage = .body(HTTPBodyReader(head.body, longestBody: longest), isLast: !head.keepsAlive)
                    return .head(head)
                }
                guard head.headers.fields.count < Self.maximumHeaders else { throw .tooManyHeaders }
                try head.headers.add(line: line)
                stage = .headers(head)
            case .body(var body, let isLast):
                let step = try body.next(&buffer)
                stage = .body(body, isLast: isLast)
                switch step {
                case nil: return nil
                case .bytes(let bytes)?: return .body(bytes)
                case .end?:
                    stage = isLast ? .closed : .requestLine
                    if isLast { buffer.clear() }
                    return .end
                }
            case .closed: return nil
            }
        }
    }
}

/// Decodes a request body with a length or in chunks (RFC 9112, section 7.1). Chunk extensions and trailers are validated and dropped.
struct HTTPBodyReader: Sendable {
    enum Step: Hashable {
        case bytes([UInt8])
        case end
    }

    private enum Stage {
        case bytes(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
    }

    /// The maximum number of digits in a chunk size. 15 hexadecimal digits make up 60 bits, which fit in an `Int`.
    static let maximumDigits = 15
    /// The maximum total sizes of a body's chunk extensions and of its trailers, in bytes. Without these limits, even a
    /// small body could be expensive to parse.
    static let longestExtensions = 4 << 10
    static let longestTrailers = 4 << 10
    static let maximumTrailers = 16
    /// Headers that must be known before the body is read and are therefore not allowed as trailers.
    private static let notTrailers: Set<String> = [
        "authorization", "connection", "content-encoding", "content-length", "content-range", "content-type", "cookie",
        "expect", "host", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private let longestBody: Int
    private var stage: Stage
    private var length = 0
    private var extensionsLeft = longestExtensions
    private var trailersLeft = longestTrailers
    private var trailers = HTTPHeaders()

    init(_ body: HTTPRequestHead.Body, longestBody: Int) {
        self.longestBody = longestBody
        stage =
            switch body {
            case .length(let length): .bytes(length)
            case .chunked: .chunkSize
            }
    }

    /// Returns the next step, or nil if more bytes are needed.
    mutating func next(_ buffer: inout HTTPBuffer) throws(HTTPRefusal) -> Step? {
        while true {
            switch stage {
            case .bytes(0): return .end
            case .bytes(let left):
                let bytes = buffer.take(atMost: left)
                if bytes.isEmpty { return nil }
                stage = .bytes(left - bytes.count)
                return .bytes(bytes)
            case .chunkSize:
                let limit = Self.maximumDigits + extensionsLeft
                guard let line = try buffer.takeLine(atMost: limit, else: .chunkTooLong) else { return nil }
                let size = try readSize(line)
                guard size <= longestBody - length else { throw .bodyTooLong }
                length += size
                stage = size == 0 ? .trailers : .chunk(size)
            case .chunk(let left):
                let bytes = buffer.take(atMost: left)
                if bytes.isEmpty { return nil }
                stage = bytes.count == left ? .chunkEnd : .chunk(left - bytes.count)
                return .bytes(bytes)
            case .chunkEnd:
                guard try buffer.takeLineBreak() else { return nil }
                stage = .chunkSize
            case .trailers:
                guard let line = try buffer.takeLine(atMost: trailersLeft, else: .trailersTooLong) else { return nil }
                if line.isEmpty { return .end }
                try read(trailer: line)
            }
        }
    }

    private mutating func readSize(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) -> Int {
        let digits = line.prefix { $0.hexadecimalDigit != nil }
        let rest = line[digits.endIndex...]
        guard !digits.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ";") else { throw .chunkSize }
        // Only the characters of an extension are checked, because the extension is dropped.
        guard rest.allSatisfy({ HTTPHeaders.isBlank($0) || $0 < 0x7F }) else { throw .chunkSize }
        guard digits.count <= Self.maximumDigits, rest.count <= extensionsLeft else { throw .chunkTooLong }
        extensionsLeft -= rest.count
        return digits.reduce(0) { $0 << 4 | Int($1.hexadecimalDigit ?? 0) }
    }

    private mutating func read(trailer line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        trailersLeft -= line.count
        try trailers.add(line: line)
        guard trailers.fields.count <= Self.maximumTrailers else { throw .trailersTooLong }
        if let name = trailers.fields.last?.name, Self.notTrailers.contains(name) { throw .trailer }
    }
}
