import System

/// Reads the body of a request: so many bytes, or chunks (RFC 9112, section 7.1). Extensions of chunks and trailers are
/// checked and dropped.
struct HTTPBodyReader: Sendable {
    enum Step: Hashable {
        /// Not empty.
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

    /// Digits of a chunk's size: 60 bits fit in an integer.
    static let mostDigits = 15
    /// Of one body: nobody needs them, and with them a small body could be much work.
    static let longestExtensions = 4 << 10
    static let longestTrailers = 4 << 10
    static let mostTrailers = 16
    /// Headers that must be known before the body.
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

    /// Nil = more bytes are needed.
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
                let limit = Self.mostDigits + extensionsLeft
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
        // An extension is visible ASCII: it is dropped, so its grammar does not matter.
        guard rest.allSatisfy({ HTTPHeaders.isBlank($0) || $0 < 0x7F }) else { throw .chunkSize }
        guard digits.count <= Self.mostDigits, rest.count <= extensionsLeft else { throw .chunkTooLong }
        extensionsLeft -= rest.count
        return digits.reduce(0) { $0 << 4 | Int($1.hexadecimalDigit ?? 0) }
    }

    private mutating func read(trailer line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        trailersLeft -= line.count
        try trailers.add(line: line)
        guard trailers.fields.count <= Self.mostTrailers else { throw .trailersTooLong }
        if let name = trailers.fields.last?.name, Self.notTrailers.contains(name) { throw .trailer }
    }
}
