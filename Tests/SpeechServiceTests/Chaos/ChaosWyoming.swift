import Glibc
import SynthJSON
import SynthSystem
import TestSupport

@testable import SynthService
@testable import SynthWyoming

/// `synthhost serve` and its Wyoming clients, each with its own connection.
final class ChaosWyoming: ChaosFrontEnd {
    private let server: ChildProcess
    private let address: SocketAddress

    init(_ home: UserHome) throws {
        server = try home.start(["serve", "--wyoming", "tcp://127.0.0.1:0"])
        try server.waitForErrors("for Wyoming clients.")
        let words = String(decoding: server.errors, as: UTF8.self).split(separator: " ")
        guard let address = words.lazy.compactMap({ SocketAddress(String($0)) }).first else {
            throw ChaosProblem(description: "The service did not print its address.")
        }
        self.address = address
    }

    var process: Int32? { server.identifier }

    func speak(_ text: String, fails: Bool) throws -> LegibleSound {
        let client = try WyomingConversation(address)
        try client.send("synthesize", .init("text", text), .init("voice", .object([.init("name", "Moody")])))
        let (types, sound, last) = try client.events(until: "audio-stop")
        guard types == ["audio-start", "audio-stop"] else {
            throw ChaosProblem(description: "\(types): \(last?.text("text") ?? "")")
        }
        // The service's messages are read so that the pipe never fills up.
        try? server.wait("messages", within: .milliseconds(1)) { _ in false }
        let samples = stride(from: 0, to: sound.count - 1, by: 2).map { place in
            Float(Int16(truncatingIfNeeded: Int(sound[place]) | Int(sound[place + 1]) << 8)) / 32768
        }
        return LegibleSound(samples, perLetter: 320)
    }

    func end() throws {
        server.signal(SIGTERM)
        let result = try server.finish(within: .seconds(300))
        guard result.signal == nil else {
            throw ChaosProblem(description: "A signal ended the service: \(result.errors)")
        }
    }
}
