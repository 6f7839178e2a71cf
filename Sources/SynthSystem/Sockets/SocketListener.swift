import CSynthLinux
import Glibc

/// Listens for clients at an address. Any thread may stop it.
package final class SocketListener: Sendable {
    /// The address, with the assigned port.
    package let address: SocketAddress
    private let descriptor: Descriptor
    private let stopped: WakeUp
    /// The file of a Unix socket. It is removed when the listener stops, unless another process has replaced it.
    private let file: (path: String, inode: UInt64)?
    /// Whether the socket was inherited. If so, queued clients remain queued for the next process that listens on it.
    private let isInherited: Bool

    private static let backlog: Int32 = 128

    /// Starts listening. The file of a Unix socket is accessible only to its owner, and replaces a stale file on which
    /// no process listens.
    package init(_ address: SocketAddress) throws(SocketError) {
        do {
            stopped = try WakeUp()
        } catch {
            throw .system(error)
        }
        isInherited = false
        switch address {
        case .unix(let path):
            descriptor = try Self.listen(path)
            var status = stat()
            file = stat(path, &status) == 0 ? (path, UInt64(status.st_ino)) : nil
            self.address = address
        case .tcp(let host, let port):
            descriptor = try Self.listen(host, port)
            file = nil
            self.address = .tcp(host: host, port: SystemAddress.port(of: descriptor) ?? port)
        }
    }

    /// Takes ownership of a listening socket. Its file is not removed when the listener stops.
    private init(inheriting descriptor: consuming Descriptor) throws(Errno) {
        stopped = try WakeUp()
        _ = fcntl(descriptor.raw, F_SETFL, fcntl(descriptor.raw, F_GETFL) | O_NONBLOCK)
        guard let address = SystemAddress.own(of: descriptor) else { throw Errno(ENOTSOCK) }
        self.address = address
        self.descriptor = descriptor
        file = nil
        isInherited = true
    }

    /// Returns the listening sockets passed by the parent process, as described in `sd_listen_fds(3)`. Call this only
    /// once: it takes ownership of the descriptors.
    ///
    /// - Parameter environment: this process's environment.
    package static func inherited(_ environment: [String: String]) -> [SocketListener] {
        guard environment["LISTEN_PID"] == String(getpid()), let count = environment["LISTEN_FDS"].flatMap(Int32.init),
            (1...64).contains(count)
        else { return [] }
        return (3..<3 + count).compactMap { raw in
            // Skip the number of a closed descriptor, because a descriptor that is opened later may get the same
            // number.
            guard fcntl(raw, F_SETFD, FD_CLOEXEC) == 0 else { return nil }
            return try? SocketListener(inheriting: Descriptor(owning: raw))
        }
    }

    deinit { removeFile() }

    private func removeFile() {
        guard let file else { return }
        var status = stat()
        if stat(file.path, &status) == 0, UInt64(status.st_ino) == file.inode { unlink(file.path) }
    }

    /// Returns the next client; nil once the listener has been stopped. Blocks.
    package func accept() throws(Errno) -> SocketStream? {
        while true {
            let ready = try Poll.wait([(descriptor.raw, POLLIN), (stopped.descriptor.raw, POLLIN)])
            if ready[1] != 0 {
                refuseQueued()
                return nil
            }
            let client = linux_accept(descriptor.raw)
            if client >= 0 { return try SocketStream(Descriptor(owning: client)) }
            // The client may already have disconnected.
            switch Errno.last {
            case Errno(EAGAIN), Errno(ECONNABORTED), .interrupted, Errno(EPROTO), Errno(EPERM), Errno(ENETDOWN),
                Errno(ENETUNREACH), Errno(EHOSTDOWN), Errno(EHOSTUNREACH), Errno(ENONET), Errno(EOPNOTSUPP),
                Errno(ENOPROTOOPT):
                continue
            // The listener has just been stopped.
            case Errno(EINVAL) where !isInherited: return nil
            default: throw Errno.last
            }
        }
    }

    /// Stops listening. From now on, `accept` returns nil. Unless the socket was inherited, its address also
    /// disappears, so that new clients are refused immediately and can try another server. May be called from any
    /// thread.
    package func stop() {
        removeFile()
        if !isInherited { shutdown(descriptor.raw, Int32(SHUT_RDWR)) }
        stopped.signal()
    }

    /// Disconnects queued clients, as the kernel does for TCP. On a Unix socket, they would otherwise wait until the
    /// process ends.
    private func refuseQueued() {
        // An inherited socket is not shut down, because other processes may listen on it, and its queue may contain
        // their clients.
        guard !isInherited else { return }
        while true {
            let client = linux_accept(descriptor.raw)
            if client >= 0 { close(client) } else if Errno.last != .interrupted { return }
        }
    }

    // MARK: - Addresses

    private static func listen(_ path: String) throws(SocketError) -> Descriptor {
        guard path.utf8.count < SocketAddress.longestPath else { throw .system(Errno(ENAMETOOLONG)) }
        let socket = try SystemAddress.socket(AF_UNIX)
        // The lock keeps two processes that start at the same time from mistaking each other's socket for a stale
        // socket.
        let folder = try? Descriptor.open(
            path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_DIRECTORY)
        if let folder { while flock(folder.raw, LOCK_EX) != 0, errno == EINTR {} }
        if try bind(socket, path) { return try begin(socket) }
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK { throw .notSocket }
        guard isLeft(path) else { throw .inUse }
        unlink(path)
        guard try bind(socket, path) else { throw .inUse }
        return try begin(socket)
    }

    private static func bind(_ socket: Descriptor, _ path: String) throws(SocketError) -> Bool {
        // Linux applies the socket's mode to the file, so other users can never access it.
        fchmod(socket.raw, 0o600)
        let result = SystemAddress.withUnix(path) { Glibc.bind(socket.raw, $0, $1) }
        if result == 0 { return true }
        if errno == EADDRINUSE { return false }
        throw .system(Errno.last)
    }

    /// Whether the path is a socket left behind by a killed server.
    private static func isLeft(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK,
            let socket = try? SystemAddress.socket(AF_UNIX)
        else { return false }
        return SystemAddress.withUnix(path) { connect(socket.raw, $0, $1) } != 0 && errno == ECONNREFUSED
    }

    private static func listen(_ host: String, _ port: UInt16) throws(SocketError) -> Descriptor {
        let first = try SystemAddress.addresses(of: host, port, passive: true)
        defer { freeaddrinfo(first) }
        var failure = SocketError.unknownHost
        for address in sequence(first: first, next: { $0.pointee.ai_next }) {
            do {
                return try listen(address.pointee)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private static func listen(_ address: addrinfo) throws(SocketError) -> Descriptor {
        let socket = try SystemAddress.socket(address.ai_family)
        var one: Int32 = 1
        setsockopt(socket.raw, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard Glibc.bind(socket.raw, address.ai_addr, address.ai_addrlen) == 0 else {
            throw errno == EADDRINUSE ? .inUse : .system(Errno.last)
        }
        return try begin(socket)
    }

    private static func begin(_ socket: Descriptor) throws(SocketError) -> Descriptor {
        guard Glibc.listen(socket.raw, backlog) == 0 else { throw .system(Errno.last) }
        return socket
    }
}
