import CommandSupport
import Foundation
import Glibc
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@Suite("A service with malicious Wyoming clients", .ownThreads)
struct HostileClientsTests {
    /// Runs `serve` on a TCP port and on the user's socket.
    private func serving(_ body: (UserHome, ChildProcess, SocketAddress) throws -> Void) throws {
        let home = try UserHome()
        #expect(try home.run("--version").code == 0)
        let service = try home.start(
            ["serve", "--wyoming", "tcp://127.0.0.1:0"], adding: ["XDG_RUNTIME_DIR": home.path])
        defer { service.signal(SIGKILL) }
        try service.waitForErrors("Listening on tcp:", within: .seconds(600))
        let said = String(decoding: service.errors, as: UTF8.self)
        let port = try #require(said.firstMatch(of: /tcp:\/\/127\.0\.0\.1:(\d+)/).flatMap { UInt16($0.1) })
        try body(home, service, .tcp(host: "127.0.0.1", port: port))
        service.signal(SIGTERM)
        #expect(try service.finish().code == 0)
    }

    /// Requests speech for the text and returns the number of audio bytes, which varies slightly because espeak-ng's
    /// output varies.
    private func hear(_ address: SocketAddress, _ text: String = "Hello") throws -> Int {
        let stream = try SocketStream(to: address, within: .seconds(600))
        defer { stream.stop() }
        let event = "{\"type\":\"synthesize\",\"data\":{\"text\":\"\(text)\"}}\n"
        try stream.write(Array(event.utf8), within: .seconds(600))
        var bytes: [UInt8] = []
        while !bytes.contains("audio-stop"), !bytes.contains("\"error\"") {
            let more = try stream.bytes()
            if more.isEmpty { break }
            bytes += more
        }
        // Clients that have disconnected may still occupy their slots.
        if bytes.contains("busy") { return try hear(address, text) }
        #expect(bytes.contains("audio-stop"), "\(String(decoding: bytes.prefix(400), as: UTF8.self))")
        return String(decoding: bytes, as: UTF8.self).matches(of: /"payload_length":(\d+)/)
            .reduce(0) { $0 + (Int($1.1) ?? 0) }
    }

    @Test("Invalid input causes an error or a closed connection, memory stays bounded, and other clients are served")
    func hostile() throws {
        try serving { home, service, address in
            let sound = try hear(address)
            for seed in 0..<30 { try random(address, UInt64(seed)) }
            let before = try service.memory()
            for round in 0..<3 {
                for bytes in Self.cut { try send(bytes, to: address) }
                try send(Array("{\"type\":\"synthesize\",\"data_length\":4294967296}\n".utf8), to: address)
                try send(Array("{\"type\":\"synthesize\",\"payload_length\":4294967296}\n".utf8), to: address)
                try flood(address, text: 100 << 20)
                for seed in 0..<100 { try random(address, UInt64(1000 * round + seed)) }
                #expect(try abs(hear(address) - sound) < sound / 50)
            }
            let after = try service.memory()
            #expect(Sanitizer.isActive || after < before + 48 << 20, "from \(before >> 20) to \(after >> 20) MB")
        }
    }

    @Test("Other clients are not delayed by a thousand abandoned connections or by stalled readers")
    func crowd() throws {
        try serving { home, service, address in
            let sound = try hear(address)
            var silent: [SocketStream] = []
            for _ in 0..<1000 {
                silent.append(try SocketStream(to: address, within: .seconds(600)))
                if silent.count > 400 { silent.removeFirst().stop() }
            }
            let text = String(repeating: "More and more to say. ", count: 2000)
            for stream in silent.suffix(8) {
                let event = "{\"type\":\"synthesize\",\"data\":{\"text\":\"\(text)\"}}\n"
                try? stream.write(Array(event.utf8), within: .seconds(1))
            }
            for _ in 0..<3 { #expect(try abs(hear(address) - sound) < sound / 50) }
            let descriptors = try service.descriptors()
            for stream in silent { stream.stop() }
            silent = []
            for _ in 0..<3 { #expect(try abs(hear(address) - sound) < sound / 50) }
            #expect(descriptors < 600 && service.threads() < 600)
            try service.waitForDescriptors(atMost: 40)
        }
    }

    /// Every truncation of an event.
    private static let cut: [[UInt8]] = {
        let event = Array("{\"type\":\"synthesize\",\"data_length\":16}\n{\"text\":\"Hello\"} ".utf8)
        return event.indices.map { Array(event[..<$0]) }
    }()

    private func send(_ bytes: [UInt8], to address: SocketAddress) throws {
        let stream = try SocketStream(to: address, within: .seconds(600))
        try? stream.write(bytes, within: .seconds(600))
        stream.stop()
    }

    private func random(_ address: SocketAddress, _ seed: UInt64) throws {
        var numbers = SeededRandom(seed)
        var bytes = (0..<Int.random(in: 1...4000, using: &numbers)).map { _ in
            UInt8.random(in: 0...255, using: &numbers)
        }
        if Bool.random(using: &numbers) { bytes = Array("{\"type\":\"synthesize\",".utf8) + bytes }
        try send(bytes, to: address)
    }

    /// Sends text above the size limit. The server closes the connection before all of the text has arrived.
    private func flood(_ address: SocketAddress, text count: Int) throws {
        let stream = try SocketStream(to: address, within: .seconds(600))
        defer { stream.stop() }
        var isOpen =
            (try? stream.write(Array("{\"type\":\"synthesize\",\"data\":{\"text\":\"".utf8), within: .seconds(600)))
            != nil
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        for _ in 0..<count >> 20 where isOpen { isOpen = (try? stream.write(piece, within: .seconds(600))) != nil }
        #expect(!isOpen)
    }
}

extension SocketStream {
    /// Returns the received bytes; empty if the peer has closed the connection.
    fileprivate func bytes() throws -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        return Array(buffer[..<(try read(into: buffer, within: .seconds(600)))])
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}

extension ChildProcess {
    /// Waits until the service has closed the connections of clients that have disconnected.
    fileprivate func waitForDescriptors(atMost limit: Int) throws {
        let end = ContinuousClock.now + .seconds(600)
        while try descriptors() > limit {
            try #require(ContinuousClock.now < end)
            _ = try Poll.wait([], timeout: .milliseconds(20))
        }
    }
}
