import SynthEngineProcesses
import SynthEngineWire
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthSpeech
@testable import SynthUserVoices
@testable import SynthWyoming

@Suite("Lanes leased by the resident service", .ownThreads)
struct ResidentLaneTests {
    private let engine = TestEngine(framesPerByte: 10, lanes: 1)
    /// The client's own engine.
    private let own = TestEngine(framesPerByte: 10, lanes: 1)
    private let uses = Monitor<[ResidentLanes.Use]>([])
    private let folder: TemporaryFolder
    private let model = ModelKey(plugin: TestBackend.plugin, LoadRequest(id: "Ann"))

    init() throws { folder = try TemporaryFolder() }

    private var socket: String { "\(folder.path)/socket" }

    private func serving<Result>(
        leasesLanes: Bool = true, _ body: (ConnectionServer, TestBackend) throws -> Result
    ) throws -> Result {
        let double = TestBackend(engine)
        let service = SpeechService(double)
        let words = ServiceMessages(
            version: "1", malformed: "", tooLong: "", busy: "busy", sentence: { "\($0)" }, code: { _ in "" },
            note: { _ in })
        let door = ConnectionServer.wyoming(try SocketListener(.unix(socket)), service, words, leasesLanes: leasesLanes)
        startThread("door") { door.run() }
        defer { door.drain(until: .now) }
        return try body(door, double)
    }

    private func pool(
        _ priority: SpeechPriority = .normal, host: [String] = ["double"], _ model: ModelKey? = nil
    ) -> LanePool {
        ResidentLanes(at: socket, HostIdentity(lines: host), priority, timeout: .seconds(600)) { [uses] use in
            uses.update { $0.append(use) }
        }
        .lanes(of: model ?? self.model, limit: 1) { [own] _ in own.makeLane() }
    }

    private func lane(_ pool: LanePool) throws -> any SpeakingLane {
        try #require(try pool.take(pool.ticket()))
    }

    private func request(_ text: String) -> LaneRequest {
        LaneRequest(.text(text), voices: [VoiceUse(id: "Ann")], wants: .word)
    }

    private func hear(
        _ text: String, _ lane: any SpeakingLane, _ onPart: (SpeechPart) -> Bool = { _ in true }
    ) throws -> (parts: [SpeechPart], isWhole: Bool) {
        var parts: [SpeechPart] = []
        let isWhole = try lane.speak(request(text), unless: { false }) { part in
            parts.append(part)
            return onPart(part)
        }
        return (parts, isWhole)
    }

    @Test("For each utterance, a lane returns the same parts as the engine")
    func parts() throws {
        let here = try hear("One two three.", own.makeLane()).parts
        try serving { _, double in
            let lane = try lane(pool())
            for _ in 0..<3 {
                let heard = try hear("One two three.", lane)
                #expect(heard.isWhole && heard.parts == here)
            }
            #expect(lane.isAlive && uses.read { $0 } == [.service] && double.made.read { $0 } == ["Ann"])
        }
    }

    @Test("A cancellation ends only the current utterance, and the lane can speak again")
    func cancel() throws {
        try serving { _, _ in
            let lane = try lane(pool())
            engine.hold()
            startThread("cancel") { [engine] in
                engine.waitForSentences(1)
                lane.cancel()
            }
            #expect(try !hear("Never.", lane).isWhole)
            engine.release()
            #expect(try !hear("One two.", lane) { _ in false }.isWhole)
            #expect(try hear("Whole.", lane).isWhole && lane.isAlive)
        }
    }

    @Test("The client is notified of an engine failure and can continue to use the lane")
    func failure() throws {
        try serving { _, _ in
            let lane = try lane(pool())
            engine.crash(at: "bad")
            let failure = EngineFailure(engine: "test", reason: .crashed(signal: 11, .speaking))
            #expect(throws: failure) { try hear("Very bad", lane) }
            engine.crash(at: nil)
            #expect(try hear("Good", lane).isWhole)
        }
    }

    @Test("When the service exits, the client's own engine continues from the exact sample")
    func loss() throws {
        let text = String(repeating: "word ", count: 2000)
        try serving { door, _ in
            let lane = try lane(pool())
            var frames = 0
            let heard = try hear(text, lane) { part in
                if case .audio(let samples) = part { frames += samples.count }
                if frames > 4000 { door.drain(until: .now) }
                return true
            }
            #expect(heard.isWhole && own.spoken == [text])
            let whole = try hear(text, own.makeLane()).parts
            #expect(heard.parts.frames == whole.frames && heard.parts.words == whole.words)
            #expect(heard.parts.first == whole.first && uses.read { $0 } == [.service, .lost])
            #expect(try hear("More", lane).isWhole && own.spoken.last == "More")
        }
    }

    @Test("If no service has the same configuration and engine, the client's own lane is used")
    func none() throws {
        let first = try lane(pool())
        #expect(first is TestLane)
        try serving { _, _ in
            let other = try lane(pool(host: ["double", "other"]))
            #expect(other is TestLane)
            let stranger = ModelKey(plugin: "/elsewhere/libdouble.so", LoadRequest(id: "Ann"))
            let unknown = try lane(pool(host: ["double"], stranger))
            #expect(unknown is TestLane)
        }
        let last = try serving(leasesLanes: false) { _, _ in try lane(pool()) }
        #expect(last is TestLane)
        #expect(uses.read { $0 }.first == .own(differing: ["other"]) && engine.spoken.isEmpty)
    }

    @Test("A client that stops reading does not block the engine, and urgent requests come first")
    func turns() throws {
        try serving { _, _ in
            let book = try lane(pool(.background))
            let isReading = Monitor(false)
            let ended = Monitor(false)
            startThread("book") {
                _ = try? book.speak(request(String(repeating: "book ", count: 20_000)), unless: { false }) { _ in
                    isReading.wait { $0 ? true : nil } ?? true
                }
                ended.update { $0 = true }
            }
            engine.waitForSentences(1)
            #expect(try hear("Now", try lane(pool(.urgent))).isWhole)
            #expect(!ended.read { $0 })
            isReading.update { $0 = true }
            _ = ended.wait { $0 ? true : nil }
        }
    }

    @Test(
        "A lane uses the service that is currently running, and the service can unload the lane's model"
    )
    func restart() throws {
        let pool = pool()
        try serving { _, double in
            let lane = try lane(pool)
            #expect(try hear("One", lane).isWhole)
            double.warm.dropAll()
            #expect(engine.openLanes == 0)
            #expect(try hear("Two", lane).isWhole)
            pool.release(lane)
        }
        try serving { _, double in
            let lane = try lane(pool)
            #expect(try hear("Three", lane).isWhole && lane is ResidentLane && double.made.read { $0 } == ["Ann"])
        }
        #expect(engine.spoken == ["One", "Two", "Three"] && own.spoken.isEmpty)
    }

    @Test("An invalid priority is treated as the normal priority", arguments: [1e300, -1e300, 0.5, 7])
    func priority(_ number: Double) throws {
        try serving { _, _ in
            let client = try WyomingConversation(.unix(socket))
            var event = LaneEvent.ask(model, HostIdentity(lines: ["double"]), .normal)
            event.data.removeAll { $0.name == "priority" }
            event.data.append(.init("priority", .number(number)))
            try client.stream.write(event.bytes, within: .seconds(600))
            #expect(try client.events(until: LaneEvent.ready).last?.type == LaneEvent.ready)
        }
    }

    @Test("A disconnected client's lane ends without delaying other clients")
    func leaving() throws {
        try serving { _, _ in
            engine.hold()
            let client = try WyomingConversation(.unix(socket))
            try client.stream.write(
                LaneEvent.ask(model, HostIdentity(lines: ["double"]), .normal).bytes, within: .seconds(600))
            var held = request("Held.")
            held.serial = 1
            let utterance = LaneEvent.utterance(held)
            try client.stream.write(utterance.bytes, within: .seconds(600))
            engine.waitForSentences(1)
            client.stream.stop()
            let next = try lane(pool())
            engine.release()
            #expect(try hear("Next", next).isWhole)
        }
    }

    @Test(
        "Unexpected events either are ignored or cause the connection to be closed",
        arguments: [
            [LaneEvent.utterance], [LaneEvent.ask], [LaneEvent.cancel, "ping"],
            [LaneEvent.part, LaneEvent.ready, "ping"],
        ])
    func strangers(_ types: [String]) throws {
        try serving { _, _ in
            let client = try WyomingConversation(.unix(socket))
            for type in types { try client.send(type) }
            #expect(try client.next()?.type == (types.last == "ping" ? "pong" : nil))
        }
    }
}

extension [SpeechPart] {
    fileprivate var frames: Int {
        reduce(0) { count, part in if case .audio(let samples) = part { count + samples.count } else { count } }
    }

    fileprivate var words: [SpeechEvent] {
        compactMap { part in if case .event(let event) = part { event } else { nil } }
    }
}
