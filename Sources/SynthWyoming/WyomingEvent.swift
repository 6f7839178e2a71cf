import SynthAudio
import SynthJSON
import SynthService
import SynthSystem

/// A Wyoming event: a line of JSON, optional data and an optional payload.
///
/// As documented in the protocol's README (github.com/rhasspy/wyoming), the format is `{"type", "data"?,
/// "data_length"?, "payload_length"?}`, a newline, `data_length` bytes of JSON whose members override those of `data`,
/// and `payload_length` bytes of payload.
struct WyomingEvent: Equatable, Sendable {
    package var type: String
    /// The members of the data object.
    var data: [JSONNode.Member] = []
    var payload: [UInt8] = []

    static func error(_ text: String, code: String) -> WyomingEvent {
        WyomingEvent(type: "error", data: [.init("text", text), .init("code", code)])
    }

    subscript(_ name: String) -> JSONNode.Value? { data.first { $0.name == name }?.node.value }

    /// Returns the string value of a member, or nil if the string is empty or the member is not a string.
    package func text(_ name: String) -> String? {
        if case .string(let text)? = self[name], !text.isEmpty { text } else { nil }
    }

    /// Returns the numeric value of a member, or nil if the member is not a number.
    func number(_ name: String) -> Double? {
        if case .number(let number)? = self[name] { number } else { nil }
    }

    /// The encoded event.
    var bytes: [UInt8] {
        let data = data.isEmpty ? [] : Array(JSONWriter.line(of: JSONNode(.object(data))).utf8)
        var header: [JSONNode.Member] = [.init("type", type)]
        if !data.isEmpty { header.append(.init("data_length", data.count)) }
        if !payload.isEmpty { header.append(.init("payload_length", payload.count)) }
        return Array(JSONWriter.line(of: JSONNode(.object(header))).utf8) + [UInt8(ascii: "\n")] + data + payload
    }
}

/// A push parser for events. This value type does no I/O, runs in linear time and buffers at most one event.
struct WyomingReader: Sendable {
    private enum Stage {
        case header
        case data(WyomingEvent, length: Int, payload: Int)
        case payload(WyomingEvent, length: Int)
    }

    static let longestHeader = 64 << 10
    static let longestPayload = 1 << 20
    /// The maximum number of JSON values in the header or the data of an event. Clients send far fewer.
    static let maximumValues = 1000

    /// The maximum size of an event's data in bytes, as escaped JSON.
    private let longestData: Int
    private var buffer: [UInt8] = []
    /// The number of bytes at the beginning of the buffer that have been parsed.
    private var start = 0
    /// The position in the buffer up to which a newline has been searched for.
    private var searched = 0
    private var stage = Stage.header
    private var failure: SocketError?

    init(longestData: Int) { self.longestData = longestData }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        buffer += bytes
    }

    /// Returns the next event, or nil if more bytes are needed. After an error, every call throws the same error.
    mutating func next() throws(SocketError) -> WyomingEvent? {
        if let failure { throw failure }
        do throws(SocketError) {
            while true {
                switch stage {
                case .header:
                    guard try readHeader() else { return nil }
                case .data(var event, let length, let payload):
                    guard let bytes = take(length) else { return nil }
                    guard let node = Self.json(bytes),
                        case .object(let members) = node.value
                    else { throw .malformed }
                    let names = Set(members.map(\.name))
                    event.data = event.data.filter { !names.contains($0.name) } + members
                    stage = .payload(event, length: payload)
                case .payload(var event, let length):
                    guard let bytes = take(length) else { return nil }
                    event.payload = bytes
                    stage = .header
                    return event
                }
            }
        } catch {
            failure = error
            throw error
        }
    }

    private static func json(_ bytes: [UInt8]) -> JSONNode? {
        try? JSONReader.read(bytes, allowsRepeatedKeys: true, maximumValues: maximumValues)
    }

    private mutating func take(_ length: Int) -> [UInt8]? {
        guard buffer.count - start >= length else { return nil }
        defer {
            start += length
            searched = start
        }
        return Array(buffer[start..<start + length])
    }

    /// Reads the line of a header. Returns false if the line is incomplete.
    private mutating func readHeader() throws(SocketError) -> Bool {
        if let first = buffer[start...].first, first != UInt8(ascii: "{") { throw .otherProtocol }
        guard let end = buffer[max(searched, start)...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.count
            if buffer.count - start > Self.longestHeader { throw .tooLong }
            return false
        }
        if end - start > Self.longestHeader { throw .tooLong }
        guard let node = Self.json(Array(buffer[start..<end])),
            case .object(let members) = node.value
        else { throw .malformed }
        start = end + 1
        searched = start
        let header = WyomingEvent(type: "", data: members)
        guard let type = header.text("type") else { throw .malformed }
        var event = WyomingEvent(type: type)
        if case .object(let members)? = header["data"] { event.data = members }
        let data = try length(header, "data_length", atMost: longestData)
        let payload = try length(header, "payload_length", atMost: Self.longestPayload)
        stage = data > 0 ? .data(event, length: data, payload: payload) : .payload(event, length: payload)
        return true
    }

    private func length(_ header: WyomingEvent, _ name: String, atMost limit: Int) throws(SocketError) -> Int {
        switch header[name] {
        case nil, .null?: return 0
        case .number(let number)?:
            guard number >= 0, let length = Int(exactly: number) else { throw .malformed }
            if length > limit { throw .tooLong }
            return length
        default: throw .malformed
        }
    }
}

/// The format of incoming audio, which consists of little-endian integers.
struct WyomingPCM: Equatable, Sendable {
    let format: AudioFormat
    /// The number of bytes per sample.
    let width: Int

    /// Reads the format from an event. Returns nil if the format is not supported.
    init?(_ event: WyomingEvent) {
        func number(_ name: String, _ usual: Double) -> Int? { Int(exactly: event.number(name) ?? usual) }
        guard let rate = number("rate", 16_000), let width = number("width", 2), let channels = number("channels", 1),
            (2...4).contains(width)
        else { return nil }
        let format = AudioFormat(sampleRate: rate, channels: channels)
        guard format.isUsable else { return nil }
        self.format = format
        self.width = width
    }

    /// The size of a chunk in bytes: up to 4096 samples, rounded down to complete frames.
    var bytesOfPiece: Int { max(1, 4096 / format.channels) * format.channels * width }

    /// Converts complete frames. Trailing bytes are dropped.
    func samples(_ bytes: [UInt8]) -> [Float] {
        let count = bytes.count / (width * format.channels) * format.channels
        let scale = Float(1) / Float(Int32.max)
        return (0..<count).map { index in
            var number: UInt32 = 0
            for position in 0..<width {
                number |= UInt32(bytes[index * width + position]) << UInt32((4 - width + position) * 8)
            }
            return Float(Int32(bitPattern: number)) * scale
        }
    }
}
