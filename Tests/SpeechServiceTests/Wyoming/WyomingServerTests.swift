import Foundation
import SynthEngineWire
import SynthHost
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWyoming

@Suite("The Wyoming server", .ownThreads)
struct WyomingServerTests {
    private let engine = TestEngine(framesPerByte: 10)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func serving<Result>(
        _ limits: ServiceLimits = ServiceLimits(), _ body: (ConnectionServer, TestBackend) throws -> Result
    ) throws -> Result {
        try serving(limits) { door, double, _ in try body(door, double) }
    }

    private func serving<Result>(
        _ limits: ServiceLimits, _ body: (ConnectionServer, TestBackend, SpeechService) throws -> Result
    ) throws -> Result {
        let double = TestBackend(engine, limits)
        let service = SpeechService(double, limits)
        let words = ServiceMessages(
            version: "1", malformed: "malformed", tooLong: "too long", busy: "busy", sentence: { "\($0)" },
            code: { _ in "failure" },
            note: { _ in })
        let door = ConnectionServer.wyoming(
            try SocketListener(.unix("\(folder.path)/wyoming.sock")), service, words)
        startThread("door") { door.run() }
        defer { door.drain(until: .now) }
        return try body(door, double, service)
    }

    private func say(_ text: String, _ client: WyomingConversation, voice: String? = nil) throws {
        let voice = voice.map { JSONNode.Value.object([.init("name", $0)]) } ?? .null
        try client.send("synthesize", .init("text", text), .init("voice", voice))
    }

    @Test("Even while a text is being spoken, the server lists voices and responds to events")
    func describe() throws {
        try serving { door, _ in
            let client = try WyomingConversation(door.address)
            engine.hold()
            try say("Hello there.", client)
            engine.waitForSentences(1)
            try client.send("ping", .init("text", "x"))
            #expect(try client.next()?.text("text") == "x")
            try client.send("describe")
            let info = try #require(try client.next())
            guard case .array(let programs)? = info["tts"], let program = programs.first else {
                Issue.record("The event lists no program.")
                return
            }
            let voices = WyomingEvent(type: "", data: program.members)
            guard case .array(let list)? = voices["voices"] else {
                Issue.record("The program lists no voices.")
                return
            }
            let names = list.map { WyomingEvent(type: "", data: $0.members).text("name") }
            #expect(names == ["Ann", "Bob", "Eve"] && voices["installed"] == .boolean(true))
            engine.release()
            let heard = try client.events(until: "audio-stop")
            #expect(heard.types == ["audio-start", "audio-stop"] && heard.sound.count == 12 * 10 * 2)
        }
    }

    @Test("Texts are spoken in order, and impossible requests cause errors")
    func order() throws {
        try serving { door, double in
            let client = try WyomingConversation(door.address)
            for text in ["One.", "Two, three.", ""] { try say(text, client) }
            try say("x", client, voice: "Nobody")
            try say("Last.", client, voice: "Bob")
            #expect(try client.events(until: "audio-stop").sound.count == 4 * 20)
            #expect(try client.events(until: "audio-stop").sound.count == 11 * 20)
            #expect(try client.events(until: "audio-stop").last?.text("code") == "nothing-to-say")
            // The server sends this event for clients that wait only for the end of the audio.
            let silent = try client.events(until: "audio-stop")
            #expect(silent.types == ["audio-start", "audio-stop"] && silent.sound.isEmpty)
            #expect(try client.events(until: "audio-stop").last?.text("text")?.contains("Nobody") == true)
            #expect(try client.events(until: "audio-stop").sound.count == 5 * 20)
            #expect(double.made.read { $0 } == ["Ann", "Bob"])
        }
    }

    @Test("Streamed text is spoken as it arrives, and a repetition of the complete text is ignored")
    func stream() throws {
        try serving { door, _ in
            let client = try WyomingConversation(door.address)
            try client.send("synthesize-start", .init("voice", .object([.init("name", "Bob")])))
            for piece in ["Hello ", "there. How", " are you?"] {
                try client.send("synthesize-chunk", .init("text", piece))
            }
            try client.send("synthesize", .init("text", "Hello there. How are you?"))
            try client.send("synthesize-stop")
            let heard = try client.events(until: "synthesize-stopped")
            #expect(heard.types == ["audio-start", "audio-stop", "synthesize-stopped"])
            #expect(engine.spoken == ["Hello there.", "How are you?"])
            try say("Again.", client)
            #expect(try client.events(until: "audio-stop").sound.count == 6 * 20)
        }
    }

    @Test("Word events are sent on request, and SSML is accepted")
    func words() throws {
        try serving { door, _ in
            let client = try WyomingConversation(door.address)
            try client.send(
                "synthesize", .init("text", "<speak>One <mark name=\"m\"/>two</speak>"), .init("text_format", "ssml"),
                .init("words", true))
            let types = try client.events(until: "audio-stop").types
            #expect(types.filter { $0 == "synthhost-word" }.count == 2 && types.contains("synthhost-mark"))
            try client.send("synthesize", .init("text", "<speak>One"), .init("text_format", "ssml"))
            #expect(try client.events(until: "audio-stop").types == ["error"])
        }
    }

    @Test("If a client disconnects, only its own requests are ended")
    func leaving() throws {
        try serving { door, _ in
            engine.hold()
            let staying = try WyomingConversation(door.address)
            try say("Staying.", staying)
            engine.waitForSentences(1)
            var leaving: WyomingConversation? = try WyomingConversation(door.address)
            for _ in 0..<5 { try leaving.map { try say("Leaving.", $0) } }
            engine.waitForSentences(2)
            leaving = nil
            // The disconnected client's connection ends even though its engine is still blocked.
            while door.clientCount > 1 { _ = try staying.pong() }
            engine.release()
            #expect(try staying.events(until: "audio-stop").sound.count == 8 * 20)
            #expect(engine.spoken.filter { $0 == "Leaving." }.count == 1)
        }
    }

    @Test("Each client gets its own audio")
    func apart() throws {
        try serving { door, _ in
            let failures = Monitor<[String]>([])
            let done = Monitor(0)
            for number in 1...24 {
                startThread("client") {
                    do {
                        let client = try WyomingConversation(door.address)
                        for round in 1...6 {
                            let text = String(repeating: "a", count: number * 7 + round)
                            try client.send("synthesize", .init("text", text))
                            let heard = try client.events(until: "audio-stop")
                            if heard.sound.count != text.utf8.count * 20 {
                                failures.update { $0.append("\(number): \(heard.sound.count)") }
                            }
                        }
                    } catch {
                        failures.update { $0.append("\(error)") }
                    }
                    done.update { $0 += 1 }
                }
            }
            _ = done.wait { $0 == 24 ? true : nil }
            #expect(failures.read { $0 } == [])
        }
    }

    @Test(
        "Data in a different protocol closes the connection, and an invalid event also causes an error",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", false), ("{\"type\":\"a\",\"data_length\":99999999999}\n", true),
        ])
    func strangers(_ text: String, isTold: Bool) throws {
        try serving { door, _ in
            let client = try WyomingConversation(door.address)
            try client.stream.write(Array(text.utf8), within: .seconds(600))
            #expect(try client.next()?.type == (isTold ? "error" : nil))
            #expect(try client.next() == nil)
            let other = try WyomingConversation(door.address)
            #expect(try other.pong())
        }
    }

    @Test("A text that is too long is rejected, whether it arrives all at once or in chunks")
    func tooLong() throws {
        var limits = ServiceLimits()
        limits.textBytes = 1000
        try serving(limits) { door, _ in
            let client = try WyomingConversation(door.address)
            try say(String(repeating: "a ", count: 501), client)
            #expect(try client.next()?.text("text") == "too long")
            let second = try WyomingConversation(door.address)
            try second.send("synthesize-start")
            for _ in 0..<9 { try second.send("synthesize-chunk", .init("text", String(repeating: "b", count: 100))) }
            #expect(try second.events(until: "error").last?.text("text") == "too long")
        }
    }

    @Test("When the client limit is reached, idle clients are disconnected, but speaking clients are not")
    func full() throws {
        var limits = ServiceLimits()
        limits.clients = 4
        try serving(limits) { door, _ in
            engine.hold()
            let busy = try WyomingConversation(door.address)
            try say("Busy.", busy)
            engine.waitForSentences(1)
            var idle: [WyomingConversation] = []
            for _ in 0..<40 {
                let client = try WyomingConversation(door.address)
                #expect(try client.pong())
                idle.append(client)
                #expect(door.clientCount <= 4)
            }
            engine.release()
            #expect(try busy.events(until: "audio-stop").sound.count == 5 * 20)
            #expect(try idle[39].pong() && !idle[0].pong())
        }
    }

    @Test("If the service exits during a request, the client receives an end event")
    func drain() throws {
        try serving { door, _ in
            engine.hold()
            let client = try WyomingConversation(door.address)
            try say("Never heard.", client)
            engine.waitForSentences(1)
            startThread("drain") { door.drain(until: .now, timeout: .seconds(600)) }
            #expect(try client.events(until: "audio-stop").types == ["audio-start", "audio-stop"])
            #expect(try client.next() == nil)
        }
    }

    @Test("A voice stays loaded until it is idle or a different voice needs its slot")
    func warm() throws {
        var limits = ServiceLimits()
        limits.models = 1
        try serving(limits) { door, double in
            let client = try WyomingConversation(door.address)
            for voice in ["Ann", "Ann", "Bob", "Bob", "Ann"] {
                try say("x", client, voice: voice)
                _ = try client.events(until: "audio-stop")
            }
            #expect(double.made.read { $0 } == ["Ann", "Bob", "Ann"])
        }
        limits.idle = .milliseconds(1)
        try serving(limits) { door, double, service in
            let client = try WyomingConversation(door.address)
            for _ in 0..<2 {
                try say("x", client)
                _ = try client.events(until: "audio-stop")
                while service.loadedModels > 0 { _ = try client.pong() }
            }
            #expect(double.made.read { $0 } == ["Ann", "Ann"])
        }
    }

    @Test("If the engines use too much memory, the least recently used voices are unloaded")
    func memory() throws {
        var limits = ServiceLimits()
        limits.memory = 100
        try serving(limits) { door, double, service in
            let client = try WyomingConversation(door.address)
            func hear(_ voice: String) throws {
                try say("x", client, voice: voice)
                _ = try client.events(until: "audio-stop")
            }
            try hear("Ann")
            try hear("Bob")
            #expect(service.loadedModels == 2)
            double.memoryNow.update { $0 = 101 }
            try hear("Bob")
            while double.warm.holds(ModelKey(plugin: "", LoadRequest(id: "Ann"))) { _ = try client.pong() }
            double.memoryNow.update { $0 = 100 }
            try hear("Ann")
            #expect(double.made.read { $0 }.prefix(2) == ["Ann", "Bob"] && double.made.read { $0 }.last == "Ann")
        }
    }

    @Test("The size limit applies to the sum of a text's chunks, and empty chunks have no effect")
    func pieces() throws {
        var limits = ServiceLimits()
        limits.textBytes = 10_000
        try serving(limits) { door, _ in
            engine.hold()
            let client = try WyomingConversation(door.address)
            try say("Busy.", client)
            engine.waitForSentences(1)
            for _ in 0..<3 {
                try client.send("synthesize-start")
                for _ in 0..<2000 { try client.send("synthesize-chunk") }
                try client.send("synthesize-chunk", .init("text", String(repeating: "c", count: 3000)))
                try client.send("synthesize-stop")
            }
            #expect(try client.pong())
            try client.send("synthesize-start")
            try client.send("synthesize-chunk", .init("text", String(repeating: "c", count: 3000)))
            #expect(try client.events(until: "error").last?.text("text") == "too long")
            engine.release()
        }
    }

    @Test("Only the owner can use the socket file, which replaces a stale one and is removed when the server exits")
    func file() throws {
        let path = "\(folder.path)/wyoming.sock"
        try serving { door, _ in
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            #expect(throws: SocketError.inUse) { try SocketListener(door.address) }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        // A file that is not a socket belongs to another program.
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(throws: SocketError.notSocket) { try SocketListener(.unix(path)) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
        try FileManager.default.removeItem(atPath: path)
        // A killed server leaves its socket file behind.
        let copy = "\(folder.path)/copy"
        do {
            let left = try SocketListener(.unix(path))
            try FileManager.default.linkItem(atPath: path, toPath: copy)
            // The listener is stopped explicitly, because another test's new process may have a copy of its descriptor.
            left.stop()
        }
        try? FileManager.default.linkItem(atPath: copy, toPath: path)
        try serving { door, _ in
            let isThere = try WyomingConversation(door.address).pong()
            #expect(isThere)
        }
    }
}

extension WyomingConversation {
    /// Whether the server responds.
    func pong() throws -> Bool {
        guard (try? send("ping")) != nil else { return false }
        return try next()?.type == "pong"
    }
}
