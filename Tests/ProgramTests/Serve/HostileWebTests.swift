import CommandSupport
import Foundation
import Glibc
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@Suite("A service with malicious HTTP clients", .ownThreads)
struct HostileWebTests {
    private struct Service {
        let process: ChildProcess
        let port: UInt16
        var address: SocketAddress { .tcp(host: "127.0.0.1", port: port) }

        func head(_ line: String, _ headers: String...) -> String {
            ([line, "Host: 127.0.0.1:\(port)"] + headers).map { "\($0)\r\n" }.joined() + "\r\n"
        }
    }

    /// - Parameter isStopped: Whether `body` stops the service; a second signal would end the service immediately.
    private func serving(isStopped: Bool = false, _ body: (UserHome, Service) throws -> Void) throws {
        let home = try UserHome()
        // This engine always produces the same audio for the same text.
        try home.installFaulty("steady", voice: "Steady", ["SPEAK=legible"])
        _ = try home.runProcess("engines", "list")
        let process = try home.start(
            ["serve", "--http", "127.0.0.1:0", "--drain", "1"], adding: ["XDG_RUNTIME_DIR": home.path])
        defer { process.signal(SIGKILL) }
        try process.waitForErrors("#token=", within: .seconds(600))
        let said = String(decoding: process.errors, as: UTF8.self)
        let port = try #require(said.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//).flatMap { UInt16($0.1) })
        try body(home, Service(process: process, port: port))
        if !isStopped { process.signal(SIGTERM) }
        #expect(try process.finish().code == 0)
    }

    private func call(_ service: Service, _ text: String) -> [UInt8] {
        let body = #"{"voice":"Steady","response_format":"pcm","input":"\#(text)"}"#
        let head = service.head(
            "POST /v1/audio/speech HTTP/1.1", "Content-Length: \(body.utf8.count)", "Connection: close")
        return Array((head + body).utf8)
    }

    /// Requests speech, checks that the response is complete, and returns the audio.
    private func hear(_ service: Service) throws -> [UInt8] {
        let answer = try ask(service, call(service, "Hello there."))
        #expect(answer.starts(with: "HTTP/1.1 200 ".utf8), "\(String(decoding: answer.prefix(400), as: UTF8.self))")
        guard let head = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
        var (sound, rest) = ([UInt8](), answer[head.upperBound...])
        while let line = rest.firstIndex(of: 0x0D) {
            let count = try #require(Int(String(decoding: rest[..<line], as: UTF8.self), radix: 16))
            let chunk = rest[line...].dropFirst(2)
            if count == 0 { return sound }
            try #require(chunk.count > count + 2)
            sound += chunk.prefix(count)
            rest = chunk.dropFirst(count + 2)
        }
        Issue.record("The response is truncated.")
        return []
    }

    private func expectSame(_ sound: [UInt8], _ other: [UInt8], at place: SourceLocation = #_sourceLocation) {
        let difference = zip(sound, other).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(
            sound == other, "\(sound.count) bytes, \(other.count) bytes, from \(difference ?? -1) on",
            sourceLocation: place)
    }

    /// Sends bytes and reads the complete response.
    private func ask(_ service: Service, _ bytes: [UInt8]) throws -> [UInt8] {
        let stream = try SocketStream(to: service.address, within: .seconds(600))
        defer { stream.stop() }
        try? stream.write(bytes, within: .seconds(600))
        return stream.rest()
    }

    private func send(_ bytes: [UInt8], to service: Service) throws {
        let stream = try SocketStream(to: service.address, within: .seconds(600))
        try? stream.write(bytes, within: .seconds(600))
        stream.stop()
    }

    @Test("Invalid input causes an error or a closed connection, memory stays bounded, and other clients are served")
    func hostile() throws {
        try serving { _, service in
            let sound = try hear(service)
            #expect(sound.count > 1000)
            try round(service, 0, rubbish: 30)
            let before = try service.process.memory()
            for number in 1...3 {
                try round(service, number, rubbish: 100)
                expectSame(sound, try hear(service))
            }
            let after = try service.process.memory()
            #expect(Sanitizer.isActive || after < before + 48 << 20, "from \(before >> 20) to \(after >> 20) MB")
        }
    }

    private func round(_ service: Service, _ number: Int, rubbish: Int) throws {
        let whole = call(service, "Hello.")
        for end in whole.indices { try send(Array(whole[..<end]), to: service) }
        for seed in 0..<rubbish {
            var numbers = SeededRandom(UInt64(1000 * number + seed))
            var bytes = (0..<Int.random(in: 1...4000, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            if Bool.random(using: &numbers) { bytes = whole.prefix(60) + bytes }
            try send(bytes, to: service)
        }
        // TLS handshakes.
        try send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01] + [UInt8](repeating: 0x5A, count: 512), to: service)
        let declared = service.head("POST /v1/audio/speech HTTP/1.1", "Content-Length: 1073741824")
        #expect(try ask(service, Array(declared.utf8)).starts(with: "HTTP/1.1 413 ".utf8))
        try flood(
            service, service.head("POST /v1/audio/speech HTTP/1.1", "Transfer-Encoding: chunked"),
            "100000\r\n" + String(repeating: "a", count: 1 << 20) + "\r\n")
        try flood(
            service, service.head("GET / HTTP/1.1").dropLast(2) + "", String(repeating: "X: y\r\n", count: 1 << 17))
        try flood(service, "GET /", String(repeating: "a", count: 1 << 20))
        let nested = String(repeating: "[", count: 3_000_000)
        let body =
            service.head("POST /v1/audio/speech HTTP/1.1", "Content-Length: 3000000", "Connection: close") + nested
        #expect(try ask(service, Array(body.utf8)).starts(with: "HTTP/1.1 400 ".utf8))
    }

    /// Sends endless data. The server closes the connection before all of it has arrived.
    private func flood(_ service: Service, _ start: String, _ piece: String) throws {
        let stream = try SocketStream(to: service.address, within: .seconds(600))
        defer { stream.stop() }
        var isOpen = (try? stream.write(Array(start.utf8), within: .seconds(600))) != nil
        let piece = Array(piece.utf8)
        for _ in 0..<100 where isOpen { isOpen = (try? stream.write(piece, within: .seconds(600))) != nil }
        #expect(!isOpen)
    }

    @Test("Other clients are not delayed by two thousand abandoned connections or by stalled readers")
    func crowd() throws {
        try serving { _, service in
            let sound = try hear(service)
            let before = (try service.process.descriptors(), service.process.threads())
            var silent: [SocketStream] = []
            for number in 0..<2000 {
                let stream = try SocketStream(to: service.address, within: .seconds(600))
                // Some clients send nothing, and the others send part or all of a request head.
                let start = service.head("POST /v1/audio/speech HTTP/1.1", "Content-Length: 999")
                try? stream.write(Array(start.utf8.prefix(number % 3 == 0 ? 0 : number % 200)), within: .seconds(600))
                silent.append(stream)
                if silent.count > 400 { silent.removeFirst().stop() }
            }
            let text = String(repeating: "More and more to say. ", count: 20_000)
            for stream in silent.suffix(8) { stream.stop() }
            let readers = try (0..<8).map { _ in
                let stream = try SocketStream(to: service.address, within: .seconds(600))
                try stream.write(call(service, text), within: .seconds(600))
                return stream
            }
            for _ in 0..<3 { expectSame(sound, try hear(service)) }
            let descriptors = try service.process.descriptors()
            #expect(descriptors < 900 && service.process.threads() < 600, "\(descriptors)")
            for stream in silent + readers { stream.stop() }
            silent = []
            for _ in 0..<3 { expectSame(sound, try hear(service)) }
            // The stalled readers may have opened three more lanes. Lanes stay open, and each uses two descriptors.
            try service.process.waitUntil { process in
                try process.descriptors() <= before.0 + 8 && process.threads() <= before.1 + 4
            }
        }
    }

    @Test(
        "A signal stops the service within the limit despite a stalled reader, whose response is visibly truncated")
    func signal() throws {
        try serving(isStopped: true) { _, service in
            let sound = try hear(service)
            let stalled = try SocketStream(to: service.address, within: .seconds(600))
            let text = String(repeating: "More and more to say. ", count: 20_000)
            try stalled.write(call(service, text), within: .seconds(600))
            var first = [UInt8](repeating: 0, count: 12)
            #expect(try stalled.read(into: &first, within: .seconds(600)) == 12)
            #expect(first.elementsEqual("HTTP/1.1 200".utf8))
            expectSame(sound, try hear(service))
            service.process.signal(SIGTERM)
            try service.process.waitUntil { _ in (try? SocketStream(to: service.address)) == nil }
            #expect(!stalled.rest().suffix(5).elementsEqual("0\r\n\r\n".utf8))
        }
    }
}

extension SocketStream {
    /// Returns the bytes received until the peer closes the connection.
    fileprivate func rest() -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while let count = try? read(into: &bytes, within: .seconds(600)), count > 0 { all += bytes[..<count] }
        return all
    }
}

extension ChildProcess {
    /// Waits until the service has finished its work for clients that have disconnected.
    fileprivate func waitUntil(_ isDone: (ChildProcess) throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(600)
        while try !isDone(self) {
            try #require(ContinuousClock.now < end)
            _ = try Poll.wait([], timeout: .milliseconds(20))
        }
    }
}
