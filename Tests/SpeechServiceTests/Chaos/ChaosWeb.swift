import Glibc
import SynthSystem
import TestSupport

/// `synthhost serve` and an HTTP client that sends its requests one after another and reuses the connection until it is
/// closed.
final class ChaosWeb: ChaosFrontEnd {
    private let server: ChildProcess
    private let address: SocketAddress
    private let host: String
    private var client: WebConversation?

    init(_ home: UserHome) throws {
        server = try home.start(["serve", "--http", "127.0.0.1:0"])
        try server.waitForErrors("#token=")
        let said = String(decoding: server.errors, as: UTF8.self)
        guard let port = said.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//).flatMap({ UInt16($0.1) }) else {
            throw ChaosProblem(description: "The service did not print its address.")
        }
        address = .tcp(host: "127.0.0.1", port: port)
        host = "127.0.0.1:\(port)"
    }

    var process: Int32? { server.identifier }
    let replaces = false

    func speak(_ text: String, fails: Bool) throws -> LegibleSound {
        // On a busy machine, an engine may wait longer than the hang limit for CPU time. The client then retries its
        // request.
        for _ in 0..<5 { if let sound = try ask(text, fails: fails) { return sound } }
        throw ChaosProblem(description: "The engine failed five times without a fault.")
    }

    /// Returns nil if the engine failed although no failure was requested.
    private func ask(_ text: String, fails: Bool) throws -> LegibleSound? {
        let client = try client ?? WebConversation(address)
        client.host = host
        self.client = client
        let body = #"{"voice":"Moody","response_format":"wav","input":"\#(text)"}"#
        try client.send("POST", "/v1/audio/speech", body: body)
        let head = try client.head()
        var sound: [UInt8] = []
        var isCut = false
        do {
            while let piece = try client.piece() { sound += piece }
        } catch WebConversation.Failure.cut {
            isCut = true
            self.client = nil
        }
        // The service's messages are read so that the pipe never fills up.
        try? server.wait("messages", within: .milliseconds(1)) { _ in false }
        switch (head.status, fails) {
        case (200, false) where !isCut, (200, true) where isCut: break
        // The engine may fail before its first audio is sent.
        case (503, _):
            guard String(decoding: sound, as: UTF8.self).contains("engine_failed") else {
                throw ChaosProblem(description: "Unexpected error: \(String(decoding: sound, as: UTF8.self))")
            }
            return fails ? LegibleSound([], perLetter: 1) : nil
        case (200, false): return nil
        default:
            throw ChaosProblem(
                description: "The response has the status \(head.status), and is \(isCut ? "truncated" : "complete").")
        }
        let samples = sound.dropFirst(44)
        return LegibleSound(
            stride(from: samples.startIndex, to: samples.endIndex - 1, by: 2).map { place in
                Float(Int16(truncatingIfNeeded: Int(samples[place]) | Int(samples[place + 1]) << 8)) / 32768
            }, perLetter: 320)
    }

    func end() throws {
        client = nil
        server.signal(SIGTERM)
        let result = try server.finish(within: .seconds(300))
        guard result.signal == nil else {
            throw ChaosProblem(description: "A signal ended the service: \(result.errors)")
        }
    }
}
