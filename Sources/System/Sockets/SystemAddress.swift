import Glibc

/// Addresses as the system takes them.
enum SystemAddress {
    /// A socket that does not block, closed in children.
    static func socket(_ family: Int32) throws(SocketAddress.Failure) -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let raw = Glibc.socket(family, kind, 0)
        if raw < 0 { throw .system(Errno.last) }
        return Descriptor(owning: raw)
    }

    /// - Parameter path: shorter than `SocketAddress.longestPath`.
    static func withUnix<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// The addresses of a host, for `freeaddrinfo`.
    static func addresses(
        of host: String, _ port: UInt16, passive: Bool
    ) throws(SocketAddress.Failure) -> UnsafeMutablePointer<addrinfo> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = (passive ? AI_PASSIVE : 0) | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else { throw .unknownHost }
        return first
    }
}
