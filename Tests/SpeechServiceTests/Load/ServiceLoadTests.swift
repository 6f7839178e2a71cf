import Foundation
import SynthEngineWire
import SynthHost
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWyoming

@Suite("A service with many clients", .ownThreads)
struct ServiceLoadTests {
    private static let clients = 50
    /// The number of requests per client. The long version runs for more than a minute.
    private static let rounds = ProcessInfo.processInfo.environment["SYNTHHOST_LOAD_ROUNDS"].flatMap { Int($0) } ?? 12

    private struct Outcome {
        var heard = 0
        var left = 0
        var damaged: [String] = []
    }

    @Test("Each client receives only its own audio, even if other clients disconnect during a response")
    func load() throws {
        let overlaps = Monitor(0)
        var limits = ServiceLimits()
        limits.clients = 1000
        let double = TestBackend(TestEngine(lanes: 4), limits) { EchoLane(overlaps: overlaps) }
        let service = SpeechService(double, limits)
        let words = ServiceMessages(
            version: "1", malformed: "", tooLong: "", busy: "busy", sentence: { "\($0)" }, code: { _ in "" },
            note: { _ in })
        let door = ConnectionServer.wyoming(try SocketListener(.tcp(host: "127.0.0.1", port: 0)), service, words)
        startThread("door") { door.run() }
        let outcome = Monitor((total: Outcome(), ended: 0))
        for number in 0..<Self.clients {
            startThread("client") {
                let found = Self.client(number, door.address)
                outcome.update { state in
                    state.total.heard += found.heard
                    state.total.left += found.left
                    state.total.damaged += found.damaged
                    state.ended += 1
                }
            }
        }
        let total = outcome.wait { $0.ended == Self.clients ? $0.total : nil }
        door.drain(until: .now, timeout: .seconds(600))
        let found = try #require(total)
        #expect(found.damaged == [])
        #expect(found.heard + found.left == Self.clients * Self.rounds)
        #expect(found.left > Self.clients && found.heard > Self.clients && overlaps.read { $0 } == 0)
        door.waitForClients(0)
        #expect(door.clientCount == 0)
    }

    /// Requests speech and disconnects in the middle of some responses.
    private static func client(_ number: Int, _ address: SocketAddress) -> Outcome {
        var numbers = SeededRandom(UInt64(number))
        var outcome = Outcome()
        var conversation: WyomingConversation?
        for round in 0..<rounds {
            let text =
                "Client \(number) asks for \(round). "
                + String(repeating: "Word \(number * 31 + round). ", count: .random(in: 0...20, using: &numbers))
            let leaves = Int.random(in: 0..<3, using: &numbers) == 0
            do {
                let client = try conversation ?? WyomingConversation(address)
                conversation = client
                let voice = JSONNode.Value.object([.init("name", ["Ann", "Bob", "Eve"][number % 3])])
                try client.send("synthesize", .init("text", text), .init("voice", voice))
                if leaves {
                    // Some clients disconnect before any audio arrives.
                    for _ in 0..<Int.random(in: 0...2, using: &numbers) { _ = try client.next() }
                    client.stream.stop()
                    conversation = nil
                    outcome.left += 1
                    continue
                }
                let events = try client.events(until: "audio-stop")
                let said = echoed(events.sound)
                let isWhole = said?.filter { $0 != " " } == text.filter { $0 != " " }
                if isWhole, events.types.last == "audio-stop" {
                    outcome.heard += 1
                } else {
                    outcome.damaged.append("\(text): \(said ?? "noise"), \(events.types)")
                }
            } catch {
                outcome.damaged.append("\(text): \(error)")
            }
        }
        return outcome
    }
}
