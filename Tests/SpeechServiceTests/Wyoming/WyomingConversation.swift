import SynthJSON
import SynthSystem

@testable import SynthWyoming

/// A Wyoming client for tests, to be used on a single thread.
final class WyomingConversation {
    let stream: SocketStream
    private var reader = WyomingReader(longestData: 1 << 24)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    init(_ address: SocketAddress) throws { stream = try SocketStream(to: address) }

    deinit {
        stream.stop()
        buffer.deallocate()
    }

    func send(_ type: String, _ data: JSONNode.Member...) throws {
        try send(WyomingEvent(type: type, data: data))
    }

    func send(_ event: WyomingEvent) throws { try stream.write(event.bytes, within: .seconds(300)) }

    /// Returns the next event; nil if the server has closed the connection.
    func next() throws -> WyomingEvent? {
        while true {
            if let event = try reader.next() { return event }
            guard let count = try? stream.read(into: buffer, within: .seconds(300)), count > 0 else { return nil }
            reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Returns the types of all events up to the given type or an error, without audio chunks; the audio bytes; and the
    /// last event.
    func events(until type: String) throws -> (types: [String], sound: [UInt8], last: WyomingEvent?) {
        var types: [String] = []
        var sound: [UInt8] = []
        while let event = try next() {
            if event.type == "audio-chunk" { sound += event.payload } else { types.append(event.type) }
            if event.type == type || event.type == "error" { return (types, sound, event) }
        }
        return (types, sound, nil)
    }
}
