import SynthSystem

/// The rules for download URLs: `https`, or `http` on the local machine only.
package enum WebAddress {
    /// Why `address` may not be used for downloads; nil if it may.
    package static func refusal(of address: String) -> String? {
        guard let parts = Parts(address) else { return "\"\(address)\" is not a web URL" }
        if parts.hasUser { return "\"\(address)\" contains a user name or password" }
        switch parts.scheme {
        case "https": return nil
        case "http" where isLoopback(parts.host): return nil
        default: return "\"\(address)\" is not an HTTPS URL"
        }
    }

    /// Whether a redirect leads to a port that is neither the current port nor the HTTPS port. A download may connect
    /// only to these two ports, which are known in advance.
    package static func isOfOtherPort(_ new: String, than old: String) -> Bool {
        guard let port = port(of: new) else { return false }
        return port != httpsPort && port != self.port(of: old)
    }

    /// Whether a server at `old` may redirect to `new`. A redirect from https to http, or to a different port (see
    /// `isOfOtherPort`), is not allowed.
    package static func mayRedirect(from old: String, to new: String) -> Bool {
        guard refusal(of: new) == nil, !isOfOtherPort(new, than: old) else { return false }
        return !old.lowercased().hasPrefix("https:") || new.lowercased().hasPrefix("https:")
    }

    static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased()
        if name == "localhost" || name == "::1" || name == "[::1]" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
    }

    /// The URL of the same file on a mirror, which contains a folder for each mirrored host.
    package static func mirrored(_ address: String, below mirror: String) -> String? {
        guard let end = address.firstRange(of: "://") else { return nil }
        return mirror + (mirror.hasSuffix("/") ? "" : "/") + address[end.upperBound...]
    }

    /// The file name at the end of a URL; nil if the URL does not end with a valid file name.
    static func fileName(of address: String) -> String? {
        guard let path = Parts(address)?.path, let slash = path.lastIndex(of: "/"),
            let bytes = PercentEncoding.decoded(path[path.index(after: slash)...].utf8),
            let name = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return FileName.isSafe(name) ? name : nil
    }

    /// The host of a URL as written; nil if the text is not a web URL.
    package static func host(of address: String) -> String? { Parts(address)?.host }

    package static let httpsPort: UInt16 = 443

    /// The port of a URL; nil if the text is not a web URL.
    package static func port(of address: String) -> UInt16? {
        Parts(address).map { $0.port ?? ($0.scheme == "http" ? 80 : httpsPort) }
    }

    /// The components of a URL that the rules check (RFC 3986, section 3). Anything that two programs might parse
    /// differently is rejected: escapes in the host, a backslash, or a non-numeric port.
    private struct Parts {
        /// The scheme in lowercase.
        let scheme: String
        let hasUser: Bool
        let host: String
        /// The port; nil for the scheme's default port.
        let port: UInt16?
        let path: Substring

        init?(_ address: String) {
            let isPlain = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }
            guard isPlain, let separator = address.firstRange(of: "://") else { return nil }
            scheme = address[..<separator.lowerBound].lowercased()
            let rest = address[separator.upperBound...]
            let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            path = rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
            let user = authority.lastIndex(of: "@")
            hasUser = user != nil
            let hostAndPort = user.map { authority[authority.index(after: $0)...] } ?? authority
            var name = hostAndPort.prefix { $0 != ":" }
            var host = name
            if hostAndPort.first == "[" {
                guard let end = hostAndPort.firstIndex(of: "]") else { return nil }
                name = hostAndPort[..<end].dropFirst()
                host = hostAndPort[...end]
            }
            let port = hostAndPort[host.endIndex...]
            let digits = port.dropFirst()
            self.port = digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(digits) : nil
            guard port.isEmpty || port.first == ":" && self.port != nil else { return nil }
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isHostByte) else { return nil }
            self.host = String(host)
        }

        private static func isHostByte(_ byte: UInt8) -> Bool {
            byte.isLetterOrDigit || "-.:_".utf8.contains(byte)
        }
    }
}
