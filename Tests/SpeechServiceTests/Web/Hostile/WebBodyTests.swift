import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@Suite("Malicious request bodies", .ownThreads)
struct WebBodyTests {
    private let engine = TestEngine(sampleRate: 24_000, framesPerByte: 1)
    private static let path = "/v1/audio/speech"

    private static func nested(_ depth: Int) -> String {
        #"{"input":"a","x":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    }

    private static let bombs: [(String, Int)] = [
        (nested(100_000), 400), (nested(31), 400), (nested(33), 400), (String(repeating: "[", count: 1 << 20), 400),
        (String(repeating: #"{"a":"#, count: 100_000), 400),
        (#"{"input":"a""# + (0..<100_000).map { #","m\#($0)":1"# }.joined() + "}", 400),
        (#"{"input":"a","x":["# + String(repeating: "0,", count: 500_000) + "0]}", 400),
        (#"{"input":"a","input":"b"}"#, 400), (#"{"input":"\ud800"}"#, 400), (#"{"input":"\udc00\ud800"}"#, 400),
        (#"{"input":"\ud83d\ude00"}"#, 200), (#"{"input":"a\u0000b"}"#, 0), (#"{"input":"\u0000"}"#, 0),
        (#"{"input":"a","speed":1e400}"#, 400), (#"{"input":"a","speed":1e-400}"#, 400),
        (#"{"input":"a","speed":NaN}"#, 400), (#"{"input":"a","speed":"1"}"#, 200),
        (#"{"input":"a","speed":"1e400"}"#, 400), (#"{"input":["a"]}"#, 400),
        (#"{"input":null}"#, 400), (#"{"input":""}"#, 400), (#"{"input":" \n\t\u00a0"}"#, 400), ("", 400),
        ("null", 400),
        (#"{"input":"a"} x"#, 400), ("\u{FEFF}{\"input\":\"a\"}", 200),
        (#"{"input":"a","voice":{"id":{"id":1}}}"#, 400),
        (#"{"input":"\#(String(repeating: "a", count: (1 << 20) + 1))"}"#, 413),
        (#"{"input":"\#(String(repeating: "\\u0061", count: 1 << 19))"}"#, 200),
        (#"{"input":"a"\#(String(repeating: " ", count: 4_000_000))}"#, 413),
        (#"{"input":"a","voice":"\#(String(repeating: "v", count: 500_000))"}"#, 400),
        (#"{"input":"a","voice":"\#(String(repeating: "Ann*0.1+", count: 100_000))Bob"}"#, 400),
        (#"{"input":"a","voice":{"id":"\#(String(repeating: "+", count: 500_000))"}}"#, 400),
        (#"{"input":"a","lang":"\#(String(repeating: "en-", count: 300_000))"}"#, 400),
        (#"{"input":"a","model":"\#(String(repeating: "m", count: 500_000))"}"#, 400),
        (#"{"input":"a","response_format":"\#(String(repeating: "f", count: 500_000))"}"#, 400),
        (#"{"input":"e\#(String(repeating: "\u{301}", count: 200_000))"}"#, 200),
    ]

    @Test("A malicious body causes an error and uses little memory", arguments: bombs.indices)
    func bomb(_ number: Int) throws {
        let (body, status) = Self.bombs[number]
        try WebServing.run(engine) { web throws in
            let reply = try web.ask("POST", Self.path, body: body)
            #expect(status == 0 ? [200, 400].contains(reply.status) : reply.status == status, "\(body.prefix(60))")
            #expect(reply.status == 200 || reply.errorCode != nil && reply.body.count < 4096)
            // The next request is still served as usual.
            #expect(try web.ask("POST", Self.path, body: WebServing.call("Well.")).status == 200)
        }
    }

    private static let scripts: [String] = [
        "<speak>" + String(repeating: "<p>", count: 10_000),
        "<speak>" + String(repeating: "<s>a</s>", count: 100) + "</speak",
        "<!DOCTYPE a [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]><speak>&b;</speak>",
        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><speak>&a;</speak>", "<speak>&nothing;</speak>",
        "<speak><break time=\"999999999s\"/>a</speak>", "<speak><audio src=\"/etc/passwd\"/>a</speak>",
        "<speak><audio src=\"http://127.0.0.1:1/x.wav\"/>a</speak>",
        "<speak><prosody rate=\"1e99\">a</prosody></speak>",
        "<speak><sub alias=\"\(String(repeating: "a", count: 100_000))\">b</sub></speak>",
        "<speak><voice name=\"\(String(repeating: "v", count: 100_000))\">a</voice></speak>",
        "<speak>" + String(repeating: "<mark name=\"m\"/>", count: 20_000) + "a</speak>",
        "<speak>" + (0..<5000).map { "<prosody rate=\"\(50 + $0 % 100)%\">a </prosody>" }.joined() + "</speak>",
        "<speak \(String(repeating: "a", count: 100_000))=\"\">a</speak>", "<speak/><speak/>", "<>",
        "<speak>\u{0}</speak>",
    ]

    @Test("Malicious markup yields audio or an error and opens no files", arguments: scripts.indices)
    func markup(_ number: Int) throws {
        let text = JSONWriter.line(of: JSONNode(.string(Self.scripts[number])))
        try WebServing.run(engine) { web throws in
            let body = #"{"voice":"Ann","response_format":"pcm","input_format":"ssml","input":\#(text)}"#
            let client = try web.client()
            try client.send("POST", Self.path, body: body)
            let head = try client.head()
            #expect([200, 400].contains(head.status), "\(Self.scripts[number].prefix(60)): \(head.status)")
            client.stream.stop()
            #expect(!engine.spoken.joined().contains("root:"))
            #expect(try web.ask("POST", Self.path, body: WebServing.call("Well.")).status == 200)
        }
    }
}
