import Glibc

/// Where a server listens.
package enum SocketAddress: Hashable, Sendable {
    /// A path.
    case unix(String)
    /// A name or a number of a host, and a port; 0 = any that is free.
    case tcp(host: String, port: UInt16)

    /// Why nothing listens at an address, or answers there.
    package enum Failure: Error, Equatable, Sendable {
        case system(Errno)
        /// The host's name means no address.
        case unknownHost
        /// A program listens there.
        case inUse
        /// Something that is no socket is at the path.
        case notSocket
    }

    /// "tcp://127.0.0.1:10200", "tcp://[::1]:10200" or "unix:///run/user/1000/x.sock".
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

    /// `sun_path` of Linux, with the NUL at its end.
    package static let longestPath = 108

    /// Whether it is a path.
    package var isUnix: Bool { if case .unix = self { true } else { false } }

    /// Whether only this machine can reach it.
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
