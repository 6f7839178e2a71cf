import Glibc

/// The address at which a server listens.
package enum SocketAddress: Equatable, Sendable {
    /// A path in the file system.
    case unix(String)
    /// A host name or IP address, and a port; port 0 means any free port.
    case tcp(host: String, port: UInt16)

    /// Parses "tcp://127.0.0.1:10200", "tcp://[::1]:10200" or "unix:///run/user/1000/x.sock".
    package init?(_ text: String) {
        if text.hasPrefix("unix://") {
            let path = String(text.dropFirst("unix://".count))
            guard path.hasPrefix("/"), path.utf8.count < Self.longestPath else { return nil }
            self = .unix(path)
            return
        }
        guard text.hasPrefix("tcp://"), let colon = text.lastIndex(of: ":") else { return nil }
        var host = text[text.index(text.startIndex, offsetBy: "tcp://".count)...]
        guard colon >= host.startIndex, let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        host = host[..<colon]
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        if host.isEmpty { return nil }
        self = .tcp(host: String(host), port: port)
    }

    /// The size of `sun_path` on Linux, including the terminating NUL.
    package static let longestPath = 108

    /// Whether this is the address of a Unix socket.
    package var isUnix: Bool { if case .unix = self { true } else { false } }

    /// Whether the address can be reached only from this machine.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _):
            host == "localhost" || host == "::1"
                || host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isNumber }
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unix(let path): "unix://\(path)"
        case .tcp(let host, let port): host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)"
        }
    }
}

enum SystemAddress {
    /// Returns a non-blocking socket with close-on-exec set.
    static func socket(_ family: Int32) throws(SocketError) -> Descriptor {
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

    /// Returns a host's addresses, which the caller must free with `freeaddrinfo`.
    static func addresses(
        of host: String, _ port: UInt16, passive: Bool
    ) throws(SocketError) -> UnsafeMutablePointer<addrinfo> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = (passive ? AI_PASSIVE : 0) | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else { throw .unknownHost }
        return first
    }

    static func port(of socket: borrowing Descriptor) -> UInt16? {
        withAddress(of: socket) { UInt16(bigEndian: port(in: $0)) }
    }

    /// Returns the address of a listening socket; nil if its address family is not supported.
    static func own(of socket: borrowing Descriptor) -> SocketAddress? {
        withAddress(of: socket) { storage -> SocketAddress? in
            switch Int32(storage.pointee.ss_family) {
            case AF_UNIX:
                storage.withMemoryRebound(to: sockaddr_un.self, capacity: 1) { address in
                    withUnsafeBytes(of: address.pointee.sun_path) { path in
                        String(validating: path.prefix { $0 != 0 }, as: UTF8.self).map { .unix($0) }
                    }
                }
            case AF_INET, AF_INET6:
                host(of: storage).map { .tcp(host: $0, port: UInt16(bigEndian: port(in: storage))) }
            default: nil
            }
        } ?? nil
    }

    /// Returns the numeric address of an internet socket's peer, without the port.
    static func peer(of socket: borrowing Descriptor) -> String? {
        withAddress(of: socket, isPeer: true) { storage in
            [AF_INET, AF_INET6].contains(Int32(storage.pointee.ss_family)) ? host(of: storage) : nil
        } ?? nil
    }

    /// Returns the port in network byte order. Its offset is the same for IPv4 and IPv6.
    private static func port(in storage: UnsafePointer<sockaddr_storage>) -> in_port_t {
        storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port }
    }

    private static func host(of storage: UnsafePointer<sockaddr_storage>) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let result = storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            getnameinfo(
                $0, socklen_t(MemoryLayout<sockaddr_storage>.size), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST
            )
        }
        guard result == 0 else { return nil }
        return String(validating: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func withAddress<Result>(
        of socket: borrowing Descriptor, isPeer: Bool = false, _ body: (UnsafePointer<sockaddr_storage>) -> Result
    ) -> Result? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let raw = socket.raw
        let result = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                isPeer ? getpeername(raw, $0, &length) : getsockname(raw, $0, &length)
            }
        }
        return result == 0 ? withUnsafePointer(to: address) { body($0) } : nil
    }
}

/// This machine's routes, as listed by the kernel.
package struct NetworkRoutes: Sendable {
    /// The files that `current` reads. A confined process must be allowed to read them.
    package static let files = ["/proc/self/net/route", "/proc/self/net/ipv6_route"]

    /// Whether there is a default route, which leads to other networks.
    package let leadOutside: Bool

    /// The routes of the machine, or of this process's network namespace.
    package static var current: NetworkRoutes {
        func text(_ path: String) -> String? {
            (try? readWholeFile(path, limit: 16 << 20)).map { String(decoding: $0, as: UTF8.self) }
        }
        let (first, second) = (text(files[0]), text(files[1]))
        // If neither file can be read, assume that there is a default route.
        guard first != nil || second != nil else { return NetworkRoutes(leadOutside: true) }
        return NetworkRoutes(ipv4: first ?? "", ipv6: second ?? "")
    }

    private init(leadOutside: Bool) { self.leadOutside = leadOutside }

    /// - Parameters:
    ///   - ipv4: the content of `/proc/net/route`: a header, then one line per route. All numbers are hexadecimal.
    ///   - ipv6: the content of `/proc/net/ipv6_route`, which has no header.
    package init(ipv4: String, ipv6: String) {
        func flag(_ text: Substring, _ flag: UInt32) -> Bool { UInt32(text, radix: 16).map { $0 & flag != 0 } ?? false }
        func lines(_ text: String) -> [[Substring]] {
            text.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }
        }
        let isUp: UInt32 = 0x1
        let isReject: UInt32 = 0x200
        let leads4 = lines(ipv4).contains { route in
            route.count >= 8 && route[1] == "00000000" && route[7] == "00000000" && flag(route[3], isUp)
                && !flag(route[3], isReject)
        }
        let leads6 = lines(ipv6).contains { route in
            route.count >= 10 && route[0].allSatisfy { $0 == "0" } && route[1] == "00" && flag(route[8], isUp)
                && !flag(route[8], isReject) && route[9] != "lo"
        }
        leadOutside = leads4 || leads6
    }
}

/// Why a server cannot listen, a client cannot connect, or a connection has ended.
package enum SocketError: Error, Equatable, Sendable {
    case system(Errno)
    case unknownHost
    case inUse
    case notSocket
    /// The peer did not send or receive any data in time.
    case late
    /// The connection was stopped locally.
    case stopped

    // The following cases describe invalid messages, after which nothing more is read.
    /// The first bytes belong to a different protocol, such as HTTP.
    case otherProtocol
    /// A message, or a part of one, exceeds the maximum length.
    case tooLong
    case malformed
}
