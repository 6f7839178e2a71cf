import Foundation
import SynthSystem
import Testing
import TestSupport

@Suite("Server addresses")
struct SocketAddressTests {
    @Test(
        "Addresses survive a round trip through parsing and printing",
        arguments: [
            ("tcp://127.0.0.1:10200", SocketAddress.tcp(host: "127.0.0.1", port: 10200)),
            ("tcp://localhost:0", .tcp(host: "localhost", port: 0)), ("tcp://[::1]:80", .tcp(host: "::1", port: 80)),
            ("tcp://0.0.0.0:65535", .tcp(host: "0.0.0.0", port: 65535)), ("unix:///run/x.sock", .unix("/run/x.sock")),
        ])
    func valid(_ text: String, _ address: SocketAddress) {
        #expect(SocketAddress(text) == address && address.description == text)
        #expect(address.isLocal == !text.contains("0.0.0.0"))
    }

    @Test(
        "An invalid address is rejected",
        arguments: [
            "", "10200", "tcp://", "tcp://host", "tcp://:80", "tcp://host:", "tcp://host:99999", "tcp://host:-1",
            "tcp://host:x",
            "http://host:80", "unix://relative", "unix://", "unix:///" + String(repeating: "x", count: 108),
        ])
    func invalid(_ text: String) { #expect(SocketAddress(text) == nil) }

    @Test("After a server is killed, one of several new servers takes over its socket")
    func left() throws {
        let folder = try TemporaryFolder()
        let (path, copy) = ("\(folder.path)/socket", "\(folder.path)/copy")
        for _ in 0..<20 {
            do {
                let killed = try SocketListener(.unix(path))
                try FileManager.default.linkItem(atPath: path, toPath: copy)
                // The listener is stopped explicitly, because another test's new process may have a copy of its
                // descriptor.
                killed.stop()
            }
            // A killed server leaves its socket file behind.
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.moveItem(atPath: copy, toPath: path)
            let made = Monitor((listeners: [SocketListener](), done: 0))
            for _ in 0..<8 {
                startThread("server") {
                    let listener = try? SocketListener(.unix(path))
                    made.update { made in
                        if let listener { made.listeners.append(listener) }
                        made.done += 1
                    }
                }
            }
            _ = made.wait { $0.done == 8 ? true : nil }
            let listeners = made.read { $0.listeners }
            #expect(listeners.count == 1)
            _ = try SocketStream(to: .unix(path))
            for listener in listeners { listener.stop() }
        }
    }

    @Test("When a server stops, waiting clients are disconnected")
    func queued() throws {
        let folder = try TemporaryFolder()
        let listener = try SocketListener(.unix("\(folder.path)/socket"))
        let clients = try (0..<3).map { _ in try SocketStream(to: listener.address) }
        #expect(try listener.accept() != nil)
        listener.stop()
        #expect(try listener.accept() == nil)
        for client in clients {
            var bytes = [UInt8](repeating: 0, count: 1)
            // The client is disconnected although the listener and its queue still exist.
            #expect(((try? client.read(into: &bytes, within: .seconds(600))) ?? 0) == 0)
        }
        withExtendedLifetime(listener) {}
    }

    @Test("A client whose data the server never reads still receives the server's last message")
    func lingers() throws {
        let folder = try TemporaryFolder()
        let listener = try SocketListener(.unix("\(folder.path)/socket"))
        let client = try SocketStream(to: listener.address)
        let server = try #require(try listener.accept())
        var bytes = [UInt8](repeating: 0, count: 8)
        try client.write([1], within: .seconds(600))
        server.finishReading()
        #expect(try server.read(into: &bytes, within: .seconds(600)) == 0)
        try client.write([2], within: .seconds(600))
        try server.write([3], within: .seconds(600))
        startThread("lingers") { server.linger(for: .seconds(600)) }
        try client.write([4], within: .seconds(600))
        #expect(try client.read(into: &bytes, within: .seconds(600)) == 1)
        #expect(bytes[0] == 3)
        #expect(try client.read(into: &bytes, within: .seconds(600)) == 0)
        client.finishWriting()
    }

    @Test("An unknown host name and a port that is already in use cause errors")
    func failures() throws {
        #expect(throws: SocketError.unknownHost) { try SocketListener(.tcp(host: "no such host", port: 0)) }
        let first = try SocketListener(.tcp(host: "127.0.0.1", port: 0))
        #expect(throws: SocketError.inUse) { try SocketListener(first.address) }
        _ = try SocketStream(to: first.address)
        #expect(try first.accept() != nil)
        first.stop()
        #expect(try first.accept() == nil)
        // Connecting fails immediately even though the socket file still exists, so no client is left waiting.
        #expect(throws: SocketError.system(Errno(ECONNREFUSED))) { try SocketStream(to: first.address) }
    }
}
