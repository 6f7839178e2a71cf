import Testing

@testable import SynthHTTPServer

@Suite("Server-sent events")
struct ServerSentEventTests {
    @Test(
        "Each line of an event's data becomes a separate `data` line",
        arguments: [
            ("", "data: \n\n"), ("a", "data: a\n\n"), ("a\nb", "data: a\ndata: b\n\n"),
            ("a\r\nb", "data: a\ndata: b\n\n"),
            ("a\rb", "data: a\ndata: b\n\n"), ("a\r\r\n\n", "data: a\ndata: \ndata: \ndata: \n\n"),
            ("\n", "data: \ndata: \n\n"),
            (" Grüße\u{2028}x", "data:  Grüße\u{2028}x\n\n"),
            ("x\n\nevent: evil\n\n", "data: x\ndata: \ndata: event: evil\ndata: \ndata: \n\n"),
        ])
    func data(_ data: String, expected: String) {
        #expect(String(decoding: ServerSentEvent.bytes(data: data), as: UTF8.self) == expected)
    }

    @Test("An event's type precedes its data")
    func type() {
        let event = ServerSentEvent.bytes(type: "progress", data: "{}")
        #expect(String(decoding: event, as: UTF8.self) == "event: progress\ndata: {}\n\n")
    }
}
