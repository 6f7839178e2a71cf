import SynthHost
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWyoming

@Suite("The voice list for Wyoming clients", .ownThreads)
struct WyomingVoicesTests {
    private let double = TestBackend(TestEngine(framesPerByte: 10))
    private let service: SpeechService
    private let words = ServiceMessages(
        version: "1", malformed: "", tooLong: "", busy: "busy", sentence: { "\($0)" }, code: { _ in "" },
        note: { _ in })

    init() { service = SpeechService(double) }

    private func names(_ bytes: [UInt8]) throws -> [String] { try told(bytes).compactMap { $0.text("name") } }

    private func installed(_ bytes: [UInt8]) throws -> [String] {
        try told(bytes).filter { $0.flag("installed") == true }.compactMap { $0.text("name") }
    }

    private func told(_ bytes: [UInt8]) throws -> [JSONNode] {
        var reader = WyomingReader(longestData: 1 << 20)
        reader.append(bytes)
        let info = try #require(try reader.next())
        guard case .array(let programs)? = info["tts"], let program = programs.first else { return [] }
        return program.elements("voices")
    }

    @Test("As long as the list does not change, it is encoded only once, regardless of the number of clients")
    func once() throws {
        let voices = WyomingVoices(service, words, .usual)
        let (seen, done) = (Monitor<Set<[UInt8]>>([]), Monitor(0))
        for _ in 0..<8 {
            startThread("client") {
                for _ in 0..<20 { if let bytes = try? voices.bytes() { seen.update { $0.insert(bytes) } } }
                done.update { $0 += 1 }
            }
        }
        _ = done.wait { $0 == 8 ? true : nil }
        #expect(seen.read { $0 }.count == 1 && voices.madeCount.read { $0 } == 1)
        double.set("Bob", .notDownloaded(bytes: 1))
        #expect(try names(try voices.bytes()) == ["Ann", "Eve"] && voices.madeCount.read { $0 } == 2)
    }

    @Test(
        "The default list contains ready voices followed by recommended voices; the complete list contains all voices")
    func listings() throws {
        double.set("Ann", .notDownloaded(bytes: 1))
        double.set("Bob", .notDownloaded(bytes: 1))
        // Ann is the default voice, so it is listed although it is not ready.
        #expect(try names(try WyomingVoices(service, words, .usual).bytes()) == ["Eve", "Ann"])
        #expect(try names(try WyomingVoices(service, words, .all).bytes()) == ["Ann", "Bob", "Eve"])
        double.recommended.update { $0 = ["Bob", "Eve"] }
        #expect(try names(try WyomingVoices(service, words, .usual).bytes()) == ["Eve", "Bob", "Ann"])
        double.configure { $0.autoDownload = true }
        #expect(try names(try WyomingVoices(service, words, .usual).bytes()) == ["Eve", "Bob", "Ann"])
    }

    @Test("Voices that can speak on request are listed as installed")
    func installed() throws {
        double.set("Bob", .notDownloaded(bytes: 1))
        double.recommended.update { $0 = ["Bob"] }
        let voices = WyomingVoices(service, words, .usual)
        #expect(try installed(try voices.bytes()) == ["Ann", "Eve"])
        double.configure { $0.autoDownload = true }
        #expect(try installed(try voices.bytes()) == ["Ann", "Eve", "Bob"])
    }

    @Test("When a client with thousands of pending requests disconnects, its requests are dropped")
    func flood() throws {
        let folder = try TemporaryFolder()
        let door = ConnectionServer.wyoming(try SocketListener(.unix("\(folder.path)/wyoming.sock")), service, words)
        startThread("door") { door.run() }
        defer { door.drain(until: .now) }
        double.hold(true)
        var client: WyomingConversation? = try WyomingConversation(door.address)
        let questions = (0..<4000).flatMap { _ in WyomingEvent(type: "describe").bytes }
        try client?.stream.write(questions, within: .seconds(600))
        // The first request is being answered.
        double.waitForLook()
        client = nil
        double.hold(false)
        door.waitForClients(0)
        #expect(client == nil && double.looks == 1)
    }
}
