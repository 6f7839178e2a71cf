import System
import Testing

@Suite("An address of a server")
struct SocketAddressTests {
    @Test(
        "is read as it is written",
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
        "is refused if it is none",
        arguments: [
            "", "10200", "tcp://", "tcp://host", "tcp://:80", "tcp://host:", "tcp://host:99999", "tcp://host:-1",
            "tcp://host:x",
            "http://host:80", "unix://relative", "unix://", "unix:///" + String(repeating: "x", count: 108),
        ])
    func invalid(_ text: String) { #expect(SocketAddress(text) == nil) }

    @Test("nobody listens at a name that is none, or twice at one port")
    func failures() throws {
        #expect(throws: SocketAddress.Failure.unknownHost) { try SocketListener(.tcp(host: "no such host", port: 0)) }
        let first = try SocketListener(.tcp(host: "127.0.0.1", port: 0))
        #expect(throws: SocketAddress.Failure.inUse) { try SocketListener(first.address) }
        _ = try SocketStream(to: first.address)
        #expect(try first.accept() != nil)
        first.stop()
        #expect(try first.accept() == nil)
    }
}
