import SynthJSON
import SynthSystem
import Testing
import TestNumbers

@testable import SynthService
@testable import SynthWyoming

@Suite("Reading Wyoming events")
struct WyomingReaderTests {
    private func events(_ text: String, piece: Int = .max, longestData: Int = 1 << 16) throws -> [WyomingEvent] {
        var reader = WyomingReader(longestData: longestData)
        var events: [WyomingEvent] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            reader.append(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            while let event = try reader.next() { events.append(event) }
        }
        return events
    }

    private static let stream = """
        {"type": "describe"}
        {"type":"synthesize","version":"1.10.2","data":{"text":"old","x":1},"data_length":33}
        {"text":"Grüße","voice":null }
        {"type":"audio-chunk","payload_length":3}
        abc{"type":"ping","data":{}}

        """

    @Test("Events may arrive in chunks of any size", arguments: [1, 2, 3, 7, 64, .max])
    func pieces(size: Int) throws {
        let events = try events(Self.stream, piece: size)
        #expect(events.map(\.type) == ["describe", "synthesize", "audio-chunk", "ping"])
        #expect(events[1].text("text") == "Grüße" && events[1].number("x") == 1 && events[1]["voice"] == .null)
        #expect(events[2].payload == Array("abc".utf8))
    }

    @Test("Events survive a round trip through encoding and decoding")
    func written() throws {
        let event = WyomingEvent(
            type: "a\"b", data: [.init("text", "x\ny"), .init("flag", true)], payload: [0, 10, 255])
        var reader = WyomingReader(longestData: 100)
        reader.append(event.bytes + WyomingEvent(type: "z").bytes)
        #expect(try reader.next() == event.withoutLines)
        #expect(try reader.next()?.type == "z")
        #expect(try reader.next() == nil)
    }

    /// This is declared with a type and outside the attribute, because otherwise type checking would take seconds.
    private static let none: [(text: String, failure: SocketError)] = [
        ("GET / HTTP/1.1\r\n", .otherProtocol), ("\n", .otherProtocol), ("[]\n", .otherProtocol),
        ("{}\n", .malformed), ("{\"type\":1}\n", .malformed), ("{\"type\":\"\"}\n", .malformed),
        ("{nonsense\n", .malformed),
        ("{\"type\":\"a\",\"data_length\":-1}\n", .malformed),
        ("{\"type\":\"a\",\"data_length\":1.5}\n", .malformed),
        ("{\"type\":\"a\",\"data_length\":\"9\"}\n", .malformed),
        ("{\"type\":\"a\",\"data_length\":1e300}\n", .malformed),
        ("{\"type\":\"a\",\"data_length\":4294967296}\n", .tooLong),
        ("{\"type\":\"a\",\"payload_length\":4294967296}\n", .tooLong),
        ("{\"type\":\"a\",\"data_length\":2}\n[]", .malformed),
        ("{\"type\":\"a\",\"data_length\":2}\n{x", .malformed),
        ("{\"type\":\"" + String(repeating: "x", count: 70_000), .tooLong),
        (String(repeating: "{\"a\":", count: 50) + "\n", .malformed),
        ("{\"type\":\"a\",\"data\":{\"a\":[1" + String(repeating: ",1", count: 1000) + "]}}\n", .malformed),
    ]

    @Test("Invalid events are rejected", arguments: none)
    func refused(_ text: String, _ failure: SocketError) {
        #expect(throws: failure) { try events(text) }
        #expect(throws: failure) { try events(text, piece: 5) }
    }

    @Test("Damaged input either causes an error or yields events", arguments: 0..<100)
    func random(_ seed: UInt64) {
        var random = SeededRandom(seed)
        var bytes = Array(Self.stream.utf8)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        var reader = WyomingReader(longestData: 1 << 16)
        reader.append(bytes)
        var count = 0
        do {
            while try reader.next() != nil { count += 1 }
        } catch {
            // The reader repeats the error even if valid events follow.
            reader.append(Self.stream.utf8)
            #expect(throws: error) { try reader.next() }
        }
        #expect(count <= 4)
    }
}

extension WyomingEvent {
    /// The event with all line numbers set to 1, as after decoding.
    fileprivate var withoutLines: WyomingEvent {
        var event = self
        event.data = data.map { .init(name: $0.name, line: 1, node: JSONNode($0.node.value, line: 1)) }
        return event
    }
}
