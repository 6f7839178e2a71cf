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
    func data(_ data: String, expected: String) throws {
        let event = try #require(ServerSentEvent(data: data))
        #expect(String(decoding: event.bytes, as: UTF8.self) == expected)
    }

    @Test("An event's type and ID are limited to a single line")
    func fields() throws {
        let event = try #require(ServerSentEvent(type: "progress", id: "7", data: "{}"))
        #expect(String(decoding: event.bytes, as: UTF8.self) == "event: progress\nid: 7\ndata: {}\n\n")
        for wrong in ["a\nb", "a\r", "a\r\nb", "\0"] {
            #expect(ServerSentEvent(type: wrong, data: "") == nil && ServerSentEvent(id: wrong, data: "") == nil)
        }
    }
}
