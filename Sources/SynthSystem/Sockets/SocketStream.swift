import CSynthLinux
import Glibc
import Synchronization

/// A socket connection. One thread may read and one may write at a time; any thread may stop it.
package final class SocketStream: Sendable {
    private let descriptor: Descriptor
    /// Signaled by `stop`, and when reading is finished.
    private let signal: WakeUp
    private let isStopped = Atomic<Bool>(false)
    private let isReadingOver = Atomic<Bool>(false)
    private let stalled = Monitor<ContinuousClock.Instant?>(nil)
    /// The maximum amount of unsent data in the kernel. It is large enough for a fast client, but small enough to allow
    /// hundreds of slow clients and to fill quickly, so that a client that stops receiving is detected soon.
    private static let unsentBytes: Int32 = 128 << 10
    /// TCP_NOTSENT_LOWAT, which Glibc declares only with _GNU_SOURCE.
    private static let unsentOption: Int32 = 25
    /// POLLRDHUP, which Glibc declares only with _GNU_SOURCE.
    private static let readEnd: Int32 = 0x2000

    /// - Parameter descriptor: a non-blocking socket.
    init(_ descriptor: Descriptor) throws(Errno) {
        self.descriptor = descriptor
        signal = try WakeUp()
        // Send small messages immediately. Unix sockets have no such option and need none.
        var one: Int32 = 1
        setsockopt(descriptor.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var most = Self.unsentBytes
        setsockopt(
            descriptor.raw, Int32(IPPROTO_TCP), Self.unsentOption, &most, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Connects to a server.
    ///
    /// - Parameter limit: the maximum time.
    package convenience init(
        to address: SocketAddress, within limit: Duration = .seconds(5)
    ) throws(SocketError) {
        let socket: Descriptor
        let result: Int32
        switch address {
        case .unix(let path):
            guard path.utf8.count < SocketAddress.longestPath else { throw .system(Errno(ENAMETOOLONG)) }
            socket = try SystemAddress.socket(AF_UNIX)
            result = SystemAddress.withUnix(path) { connect(socket.raw, $0, $1) }
        case .tcp(let host, let port):
            let first = try SystemAddress.addresses(of: host, port, passive: false)
            defer { freeaddrinfo(first) }
            socket = try SystemAddress.socket(first.pointee.ai_family)
            result = connect(socket.raw, first.pointee.ai_addr, first.pointee.ai_addrlen)
        }
        do {
            if result != 0 { try Self.finishConnecting(socket, within: limit) }
            try self.init(socket)
        } catch {
            throw .system(error)
        }
    }

    private static func finishConnecting(_ socket: Descriptor, within limit: Duration) throws(Errno) {
        guard Errno.last == Errno(EINPROGRESS) else { throw .last }
        guard try Poll.wait([(socket.raw, POLLOUT)], timeout: limit)[0] != 0 else { throw Errno(ETIMEDOUT) }
        var failure: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket.raw, SOL_SOCKET, SO_ERROR, &failure, &length)
        if failure != 0 { throw Errno(failure) }
    }

    /// Whether the peer process belongs to this user or to root. Always false if this is not a Unix socket.
    package var isOfThisUser: Bool {
        let user = linux_peer_user(descriptor.raw)
        return user == 0 || user == Int64(geteuid())
    }

    /// Whether the peer process is stopped by a signal, so that waiting for its data is pointless. Always false if this
    /// is not a Unix socket. Reads /proc.
    package var isOfStoppedProcess: Bool {
        let process = linux_peer_process(descriptor.raw)
        return process > 0 && ProcessState(of: process) == .stopped
    }

    /// Whether the peer has finished sending, or `stop` was called.
    package var hasEnded: Bool {
        guard let ready = try? Poll.wait([(descriptor.raw, Self.readEnd | POLLHUP | POLLERR)], timeout: .zero) else {
            return true
        }
        return ready[0] != 0
    }

    /// Reads available bytes, up to the size of the buffer. Blocks until data is available. Returns 0 when the peer has
    /// finished sending, or after `finishReading`.
    ///
    /// - Parameter limit: the maximum time without data; nil for no limit.
    package func read(into buffer: UnsafeMutableRawBufferPointer, within limit: Duration? = nil) throws(SocketError)
        -> Int
    {
        while !isReadingOver.load(ordering: .acquiring) {
            if let count = try receive(into: buffer, within: limit, endsWithReading: true) { return count }
        }
        return 0
    }

    /// Returns nil after a wait; the caller then checks whether reading is finished and retries.
    private func receive(
        into buffer: UnsafeMutableRawBufferPointer, within limit: Duration?, endsWithReading: Bool
    ) throws(SocketError) -> Int? {
        let count = recv(descriptor.raw, buffer.baseAddress, buffer.count, 0)
        if count >= 0 { return count }
        try wait(for: POLLIN, limit, after: .last, endsWithReading: endsWithReading)
        return nil
    }

    /// Reads into an array without changing its count.
    package func read(into bytes: inout [UInt8], within limit: Duration? = nil) throws(SocketError) -> Int {
        var span = bytes.mutableSpan
        return try span.withUnsafeMutableBytes { buffer throws(SocketError) in try read(into: buffer, within: limit) }
    }

    /// Writes all bytes. Blocks while the client is not receiving.
    ///
    /// - Parameter limit: the maximum time without progress.
    package func write(_ bytes: [UInt8], within limit: Duration) throws(SocketError) { try write(bytes) { limit } }

    /// Writes all bytes. Blocks while the client is not receiving.
    ///
    /// - Parameter deadline: the time by which the client must have received all bytes.
    package func write(_ bytes: [UInt8], before deadline: ContinuousClock.Instant) throws(SocketError) {
        try write(bytes) { max(.zero, deadline - .now) }
    }

    /// The time at which the peer stopped receiving pending data; nil if no data is pending. May be read from any
    /// thread.
    package var stalledSince: ContinuousClock.Instant? { stalled.read { $0 } }

    private func write(_ bytes: [UInt8], _ limit: () -> Duration) throws(SocketError) {
        var written = 0
        var isStalled = false
        defer { if isStalled { stalled.update { $0 = nil } } }
        while written < bytes.count {
            let count = bytes.span.withUnsafeBytes { bytes in
                send(
                    descriptor.raw, bytes.baseAddress.map { $0 + written }, bytes.count - written,
                    Int32(MSG_NOSIGNAL))
            }
            let failure = Errno.last
            if count >= 0 {
                written += count
                if isStalled { stalled.update { $0 = nil } }
                isStalled = false
                continue
            }
            if !isStalled { stalled.update { $0 = .now } }
            isStalled = true
            try wait(for: POLLOUT, limit(), after: failure, endsWithReading: false)
        }
    }

    /// - Parameters:
    ///   - failure: the error of the call that would have blocked.
    ///   - endsWithReading: whether the wait ends when reading is finished, even if that happened just before the call.
    private func wait(
        for event: Int32, _ limit: Duration?, after failure: Errno, endsWithReading: Bool
    ) throws(SocketError) {
        switch failure {
        case Errno(EAGAIN): break
        case .interrupted: return
        default: throw .system(failure)
        }
        // The signal stays set once reading is finished, so it is ignored from then on; a stop is detected by the
        // connection's shutdown.
        let watched = !endsWithReading && isReadingOver.load(ordering: .acquiring) ? -1 : signal.descriptor.raw
        do throws(Errno) {
            let ready = try Poll.wait([(descriptor.raw, event), (watched, POLLIN)], timeout: limit)
            if isStopped.load(ordering: .acquiring) { throw Errno(ECANCELED) }
            if ready[0] == 0, ready[1] == 0 { throw Errno(ETIMEDOUT) }
        } catch {
            switch error {
            case Errno(ECANCELED): throw .stopped
            case Errno(ETIMEDOUT): throw .late
            default: throw .system(error)
            }
        }
    }

    /// Tells the peer that no more data follows (half-close). Reading remains possible.
    package func finishWriting() { shutdown(descriptor.raw, Int32(SHUT_WR)) }

    /// Ends a blocked read, as if the peer had finished sending. Writing remains possible. The peer can continue to
    /// send without an error, so that it can still read pending data. May be called from any thread.
    package func finishReading() {
        isReadingOver.store(true, ordering: .releasing)
        signal.signal()
    }

    /// Stops sending, and briefly continues to read. If the connection were closed immediately, the last data might not
    /// reach the peer.
    package func linger(for limit: Duration) {
        finishWriting()
        let deadline = ContinuousClock.now + limit
        var left = Self.maximumLingeringBytes
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        while left > 0, ContinuousClock.now < deadline {
            do {
                var span = bytes.mutableSpan
                let count = try span.withUnsafeMutableBytes { buffer throws(SocketError) in
                    try receive(into: buffer, within: max(.zero, deadline - .now), endsWithReading: false)
                }
                if count == 0 { return }
                left -= count ?? 0
            } catch {
                return
            }
        }
    }

    private static let maximumLingeringBytes = 8 << 20

    /// Resets the connection, so that the peer sees an error instead of an orderly shutdown. Undelivered data is lost,
    /// and nothing can be read or written afterwards.
    package func reset() {
        // Disconnect the socket, which takes effect immediately. Closing it would shut the connection down first, which
        // the peer would see as orderly.
        var address = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        connect(descriptor.raw, &address, socklen_t(MemoryLayout<sockaddr>.size))
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor.raw, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// The numeric address of the peer's host; nil if it has none.
    package var peer: String? { SystemAddress.peer(of: descriptor) }

    /// Blocks until the peer has finished sending, the stream is stopped, or the signal is set.
    ///
    /// - Returns: false if the signal came first.
    func waitForEnd(until signal: WakeUp) -> Bool {
        let ready = try? Poll.wait([
            (descriptor.raw, Self.readEnd | POLLHUP | POLLERR), (self.signal.descriptor.raw, POLLIN),
            (signal.descriptor.raw, POLLIN),
        ])
        // If polling fails, nothing would notice that the peer has left, so end the stream now.
        guard let ready else {
            stop()
            return true
        }
        return ready[2] == 0
    }

    /// Ends reading and writing permanently. May be called from any thread.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        signal.signal()
        shutdown(descriptor.raw, Int32(SHUT_RDWR))
    }
}

/// A thread that watches for the peer to disconnect.
package final class SocketWatch: Sendable {
    private let signal: WakeUp

    /// - Parameter onEnd: called at most once, on another thread, when the peer has finished sending or the stream is
    ///   stopped.
    /// - Throws: an error if the system allows no more threads or descriptors.
    package init(_ stream: SocketStream, _ onEnd: @escaping @Sendable () -> Void) throws(Errno) {
        let signal = try WakeUp()
        self.signal = signal
        let isWatched = startThread("watch") { if stream.waitForEnd(until: signal) { onEnd() } }
        if !isWatched { throw Errno(EAGAIN) }
    }

    /// Ends the watch. `onEnd` may still be running during the call, but is not called afterwards.
    package func end() { signal.signal() }
}
