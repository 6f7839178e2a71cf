import Glibc
import SynthSystem

/// The host names and page origins that a server accepts. An untrusted web page can reach a server on the user's
/// machine in two ways: through DNS rebinding, which the `Host` header reveals, and through a cross-site request, which
/// the `Origin` header reveals.
package struct HTTPHosts: Sendable {
    /// A host with an optional port, such as "name", "name:80", "127.0.0.1:80" or "[::1]:80".
    package struct Authority: Hashable, Sendable {
        /// The host in lowercase, without the brackets of an IPv6 address.
        package let host: String
        package let port: UInt16?
        /// Whether the host is an IP address. A host name is less trustworthy, because DNS can resolve it to any
        /// address.
        package let isAddress: Bool
        /// Whether this is the unspecified address, such as 0.0.0.0, which Linux treats as a local address.
        let isUnspecified: Bool

        package init?(_ text: String) {
            let text = HTTPHeaders.lowercased(text.utf8)
            var rest = text.utf8[...]
            if rest.first == UInt8(ascii: "[") {
                guard let end = rest.firstIndex(of: UInt8(ascii: "]")), let host = String(rest[..<end].dropFirst()),
                    let bytes = Self.address(host, AF_INET6, length: 16)
                else { return nil }
                self.host = host
                isAddress = true
                // This includes ::ffff:0.0.0.0.
                isUnspecified = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes.suffix(4).allSatisfy { $0 == 0 }
                rest = rest[end...].dropFirst()
            } else {
                let name = rest.prefix { $0 != UInt8(ascii: ":") }
                guard let host = String(name), Self.isName(name) else { return nil }
                let bytes = Self.address(host, AF_INET, length: 4)
                // Abbreviated and octal IPv4 addresses are rejected.
                if bytes == nil, name.allSatisfy({ $0 == UInt8(ascii: ".") || Self.isDigit($0) }) { return nil }
                self.host = host
                isAddress = bytes != nil
                isUnspecified = bytes?.first == 0
                rest = rest[name.endIndex...]
            }
            guard !rest.isEmpty else {
                port = nil
                return
            }
            let digits = rest.dropFirst()
            guard rest.first == UInt8(ascii: ":"), !digits.isEmpty, digits.count <= 5, digits.allSatisfy(Self.isDigit),
                let number = String(digits).flatMap({ UInt16($0) }), number > 0
            else { return nil }
            port = number
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

        private static func isName(_ bytes: Substring.UTF8View) -> Bool {
            let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return bytes.count <= 253
                && labels.allSatisfy { label in
                    !label.isEmpty && label.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
                }
        }

        private static func address(_ text: String, _ family: Int32, length: Int) -> [UInt8]? {
            // inet_pton would ignore everything after a NUL.
            if text.utf8.contains(0) { return nil }
            return withUnsafeTemporaryAllocation(byteCount: length, alignment: 4) { bytes in
                inet_pton(family, text, bytes.baseAddress) == 1 ? Array(bytes) : nil
            }
        }
    }

    private let port: UInt16
    private let names: Set<Authority>
    private let origins: Set<String>

    /// Returns nil if a name or an origin is invalid.
    ///
    /// - Parameters:
    ///   - port: the port on which the server listens.
    ///   - names: the host names of a reverse proxy or of this machine. A name with a port is accepted only with that port, and a name
    ///     without a port is accepted with any port.
    ///   - origins: the origins of other pages that may send requests, such as "https://example.org".
    package init?(port: UInt16, names: [String] = [], origins: [String] = []) {
        let allowed = names.compactMap(Authority.init)
        let pages = origins.compactMap(Self.origin)
        guard allowed.count == names.count, pages.count == origins.count else { return nil }
        self.port = port
        self.names = Set(allowed)
        self.origins = Set(zip(origins, pages).map { "\($1.scheme)://\(Self.key($1.authority, $1.scheme))" })
    }

    /// Whether the server accepts a `Host` header. It must be an allowed name, or "localhost" or an IP address with the server's port.
    package func accept(host: String) -> Bool {
        guard let authority = Authority(host) else { return false }
        if isNamed(authority) { return true }
        guard authority.isAddress || authority.host == "localhost" else { return false }
        return !authority.isUnspecified && (authority.port ?? 80) == port
    }

    /// Whether pages with this origin may send requests. Accepts the server's own pages and pages with an allowed
    /// origin. Rejects `null`, the origin of sandboxed frames and local files.
    ///
    /// - Parameters:
    ///   - origin: the `Origin` header, or nil if there is none. Browsers send it with all requests that change state.
    ///   - host: the `Host` header of the same request.
    package func accept(origin: String?, host: String) -> Bool {
        guard let origin else { return true }
        guard let (scheme, page) = Self.origin(origin) else { return false }
        if isNamed(origin: origin) { return true }
        guard let own = Authority(host), accept(host: host) else { return false }
        // Only a server with a configured name may be behind a TLS proxy.
        guard scheme == "http" || isNamed(own) else { return false }
        return Self.key(page, scheme) == Self.key(own, scheme)
    }

    /// Whether the origin is in the list of allowed origins of other pages.
    package func isNamed(origin: String) -> Bool {
        Self.origin(origin).map { origins.contains("\($0.scheme)://\(Self.key($0.authority, $0.scheme))") } ?? false
    }

    private func isNamed(_ authority: Authority) -> Bool {
        names.contains(authority) || names.contains { $0.host == authority.host && $0.port == nil }
    }

    private static func key(_ authority: Authority, _ scheme: String) -> String {
        "\(authority.host) \(authority.port ?? (scheme == "https" ? 443 : 80))"
    }

    private static func origin(_ text: String) -> (scheme: String, authority: Authority)? {
        let text = HTTPHeaders.lowercased(text.utf8)
        for scheme in ["http", "https"] {
            let start = "\(scheme)://".utf8
            guard text.utf8.starts(with: start), let rest = String(text.utf8.dropFirst(start.count)) else { continue }
            return Authority(rest).map { (scheme, $0) }
        }
        return nil
    }
}
