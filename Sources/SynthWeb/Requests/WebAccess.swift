import Glibc
package import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// Decides which requests are allowed. Thread-safe.
package final class WebAccess: Sendable {
    /// The name of the cookie that contains the page's token.
    static let cookie = "synthhost"

    private let hosts: HTTPHosts
    private let token: AccessToken
    /// Whether clients may request speech without the token, because only this machine can reach the server.
    let isOpen: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let wrong = Monitor<[ContinuousClock.Instant]>([])

    /// The maximum number of invalid tokens within the window.
    private static let maximumInvalidTokens = 20
    private static let window = Duration.seconds(60)

    package init(
        _ hosts: HTTPHosts, _ token: AccessToken, isOpen: Bool,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.hosts = hosts
        self.token = token
        self.isOpen = isOpen
        self.now = now
    }

    /// Checks the host and the origin of a request.
    func check(_ head: HTTPRequestHead) throws {
        let host = head.headers["host"] ?? ""
        // HTTP/1.0 allows requests without a Host header, but browsers do not use HTTP/1.0.
        if !host.isEmpty || head.version == .http11 {
            guard hosts.accept(host: host) else { throw WebFailure.problem(.host) }
        }
        let origins = head.headers.values("origin")
        guard origins.count < 2, hosts.accept(origin: origins.first, host: host) else {
            throw WebFailure.problem(.origin)
        }
        // Only browsers send these headers. These values mean that the request was made by a page on a different
        // server, whatever its `Origin` header says.
        if head.headers["sec-fetch-site"] == "cross-site", head.headers["sec-fetch-mode"] != "navigate",
            origins.isEmpty
        {
            throw WebFailure.problem(.origin)
        }
    }

    /// Returns the request's origin, or nil if the user has not explicitly allowed it. Pages from an allowed origin may
    /// read the response.
    func namedOrigin(_ head: HTTPRequestHead) -> String? {
        guard let origin = head.headers["origin"], hosts.isNamed(origin: origin) else { return nil }
        return origin
    }

    /// Whether a request contains the token.
    func isTrusted(_ head: HTTPRequestHead) -> Bool { token.isCarried(by: head.headers, cookie: Self.cookie) }

    /// Checks whether a request meets the requirements of a route. If the route needs no token, the request may contain
    /// any token, because OpenAI's clients always send one.
    func check(_ need: WebRoute.Need, _ head: HTTPRequestHead, isTrusted: Bool) throws {
        switch need {
        case .nothing: return
        case .access where isOpen: return
        case .access, .token: if isTrusted { return }
        }
        try countGuess(in: head)
        // A cookie may be outdated or may have been set by another program, so an invalid cookie is not reported as a
        // wrong token.
        throw WebFailure.problem(head.headers.values("authorization").isEmpty ? .tokenNeeded : .wrongToken)
    }

    /// Counts invalid tokens in order to limit the number of guesses per minute. Requests without a token are not
    /// counted.
    func countGuess(in head: HTTPRequestHead) throws {
        guard AccessToken.isTried(in: head.headers, cookie: Self.cookie), !isTrusted(head) else { return }
        let now = now()
        let count = wrong.update { times in
            times = times.filter { now - $0 < Self.window }
            if times.count <= Self.maximumInvalidTokens { times.append(now) }
            return times.count
        }
        if count > Self.maximumInvalidTokens { throw WebFailure.problem(.tooManyTokens) }
    }

    /// Returns a `Set-Cookie` value. Scripts cannot read the cookie, and browsers do not send it with cross-site
    /// requests.
    ///
    /// - Parameter path: the path of the page behind a proxy, or nil for "/".
    func cookieToSet(path: String?) -> String {
        "\(Self.cookie)=\(token.secret); HttpOnly; SameSite=Strict; Path=\(Self.cookiePath(path)); Max-Age=31536000"
    }

    static func cookieToRemove(path: String?) -> String {
        "\(cookie)=; HttpOnly; SameSite=Strict; Path=\(cookiePath(path)); Max-Age=0"
    }

    /// Returns the path, or "/" if the path is invalid or contains characters that could end the cookie attribute or
    /// the header.
    private static func cookiePath(_ path: String?) -> String {
        guard let path, path.utf8.count <= 1024, path.hasPrefix("/"), path.hasSuffix("/"),
            path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") })
        else { return "/" }
        return path
    }
}

/// Limits the request rate per client host with token buckets. Memory use is bounded. The caller passes the current
/// time.
struct RequestRate: Sendable {
    private struct Store {
        var left: Double
        var time: ContinuousClock.Instant
    }

    /// The maximum number of buckets in memory. Full buckets are dropped first because they hold no information. If no
    /// bucket is full, the least recently used one is dropped.
    static let maximumHosts = 1024

    private let perSecond: Double
    private let atOnce: Double
    private var stores: [[UInt8]: Store] = [:]

    /// - Parameters:
    ///   - perSecond: the sustained rate per host.
    ///   - atOnce: the burst size.
    init(perSecond: Int, atOnce: Int) {
        self.perSecond = Double(max(perSecond, 1))
        self.atOnce = Double(max(atOnce, 1))
    }

    var hostCount: Int { stores.count }

    /// Whether another request from a host is allowed. Rejected requests are not counted.
    ///
    /// - Parameter peer: the numeric IP address of the host.
    mutating func admit(_ peer: String, at now: ContinuousClock.Instant) -> Bool {
        let key = Self.key(of: peer)
        if stores[key] == nil, stores.count >= Self.maximumHosts { makeRoom(at: now) }
        let left = stores[key].map { self.left(in: $0, at: now) } ?? atOnce
        guard left >= 1 else { return false }
        stores[key] = Store(left: left - 1, time: now)
        return true
    }

    private func left(in store: Store, at now: ContinuousClock.Instant) -> Double {
        min(atOnce, store.left + max(0, (now - store.time) / .seconds(1)) * perSecond)
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        stores = stores.filter { left(in: $0.value, at: now) < atOnce }
        guard stores.count >= Self.maximumHosts, let oldest = stores.min(by: { $0.value.time < $1.value.time }) else {
            return
        }
        stores[oldest.key] = nil
    }

    /// Returns the key of a host. For IPv6, the key is the first half of the address, because a host can have any
    /// number of addresses in its network. An IPv4-mapped IPv6 address has the same key as the IPv4 address it maps.
    static func key(of peer: String) -> [UInt8] {
        // Remove the zone, such as "eth0" in "fe80::1%eth0", because it only names a network interface of this machine.
        let text = String(peer.prefix { $0 != "%" })
        guard peer.contains(":") else { return Array(peer.utf8) }
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 4) { bytes in
            guard inet_pton(AF_INET6, text, bytes.baseAddress) == 1 else { return Array(peer.utf8) }
            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            if isMapped { return Array(bytes[12...].map(String.init).joined(separator: ".").utf8) }
            return Array(bytes[..<8])
        }
    }
}
