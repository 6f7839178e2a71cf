import Glibc
import SynthEngineWire
import SynthSystem
import Testing

@Suite("The connection between host and worker")
struct FrameSocketTests {
    private static func connection() throws -> (FrameSocket, FrameSocket) {
        let (one, other) = try Descriptor.socketPair()
        return (FrameSocket(one), FrameSocket(other))
    }

    @Test("Frames arrive complete and in order, up to the maximum size")
    func frames() throws {
        let (here, there) = try Self.connection()
        let largest = (0..<largestFrame).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for bytes in [[1], largest, [2, 3]] {
            try here.send(bytes)
            let received = try #require(try there.receive())
            #expect(received.bytes == bytes)
            #expect(received.passed == nil)
        }
    }

    @Test("A descriptor can be passed and is close-on-exec in the receiving process")
    func passing() throws {
        let (here, there) = try Self.connection()
        let pipe = try Descriptor.pipe()
        try here.send([1], passing: pipe.writing)
        let passed = try #require(try there.receive()?.passed)
        #expect(passed.raw != pipe.writing.raw)
        #expect(fcntl(passed.raw, F_GETFD) & FD_CLOEXEC != 0)
        try passed.writeAll([7])
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
        defer { bytes.deallocate() }
        #expect(try pipe.reading.read(into: bytes) == 1)
        #expect(bytes[0] == 7)
    }

    @Test("A frame that is too long is rejected, and the next frame still arrives")
    func tooLong() throws {
        let (here, there) = try Self.connection()
        try here.send([UInt8](repeating: 1, count: largestFrame + 1))
        try here.send([2])
        #expect(throws: Errno(EMSGSIZE)) { try there.receive() }
        #expect(try there.receive()?.bytes == [2])
    }

    @Test("In non-blocking mode, a call that would block throws EAGAIN")
    func noWait() throws {
        let (here, there) = try Self.connection()
        #expect(throws: Errno(EAGAIN)) { try there.receive(wait: false) }
        let bytes = [UInt8](repeating: 0, count: 60_000)
        #expect(throws: Errno(EAGAIN)) { while true { try here.send(bytes, wait: false) } }
    }

    @Test("A closed connection is reported, even if the peer left frames unread")
    func end() throws {
        var (here, there): (FrameSocket?, FrameSocket?) = try Self.connection()
        try here?.send([1])
        here = nil
        #expect(try there?.receive()?.bytes == [1])
        #expect(try there?.receive() == nil)
        (here, there) = try Self.connection()
        try here?.send([1])
        there = nil
        #expect(try here?.receive() == nil)
        #expect(throws: Errno(EPIPE)) { try here?.send([1]) }
    }

    @Test("Frames from a peer still arrive after the peer has closed the connection without reading those sent to it")
    func lastWords() throws {
        var (here, there): (FrameSocket?, FrameSocket?) = try Self.connection()
        try here?.send([1])
        try there?.send([2])
        there = nil
        #expect(try here?.receive()?.bytes == [2])
        #expect(try here?.receive() == nil)
        here = nil
    }

    @Test("If a frame cannot be sent, the connection is closed for both sides so that the loss is noticed")
    func lost() throws {
        let (one, other) = try Self.connection()
        try one.send([1])
        #expect(throws: Errno.self) { try one.send([UInt8](repeating: 0, count: 64 << 20)) }
        #expect(try other.receive()?.bytes == [1])
        #expect(try other.receive() == nil)
        #expect(throws: Errno.brokenPipe) { try other.send([2]) }
        #expect(try one.receive() == nil)
    }
}
