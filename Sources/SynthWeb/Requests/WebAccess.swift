import Glibc
package import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// Decides which requests are allowed. Any thread may use it.
package final class WebAccess: Sendable {
    /// The name of the cookie with the page's token.
    static let cookie = "synthhost"

    private let hosts: HTTPHosts
    private let token: AccessToken
    /// Whether speech needs no token, because only this machine can reach the server.
    let isOpen: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let wrong = Monitor<[ContinuousClock.Instant]>([])

    /// The limit of wrong tokens within the time.
    private static let mostWrong = 20
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

    /// Checks that the Host and the origin of a request are allowed.
    func check(_ head: HTTPRequestHead) throws {
        let host = head.headers["host"] ?? ""
        // HTTP/1.0 allows a request without a Host, and no browser uses it.
        if !host.isEmpty || head.version == .http11 {
            guard hosts.accept(host: host) else { throw WebFailure.problem(.host) }
        }
        let origins = head.headers.values("origin")
        guard origins.count < 2, hosts.accept(origin: origins.first, host: host) else {
            throw WebFailure.problem(.origin)
        }
        // The request comes from a page of another server, whatever its `Origin`; only browsers send this header.
        if head.headers["sec-fetch-site"] == "cross-site", head.headers["sec-fetch-mode"] != "navigate",
            origins.isEmpty
        {
            throw WebFailure.problem(.origin)
        }
    }

    /// The allowed origin of another server's page, which may read the answer; nil = there is none.
    func namedOrigin(_ head: HTTPRequestHead) -> String? {
        guard let origin = head.headers["origin"], hosts.isNamed(origin: origin) else { return nil }
        return origin
    }

    /// Whether a request carries the token.
    func isTrusted(_ head: HTTPRequestHead) -> Bool { token.isCarried(by: head.headers, cookie: Self.cookie) }

    /// Checks the need of a route. OpenAI's clients always send a key, even if none is required.
    func check(_ need: WebRoute.Need, _ head: HTTPRequestHead, isTrusted: Bool) throws {
        switch need {
        case .nothing: return
        case .access where isOpen: return
        case .access, .token: if isTrusted { return }
        }
        try countGuess(in: head)
        // A cookie may be outdated, or belong to another program.
        throw WebFailure.problem(head.headers.values("authorization").isEmpty ? .tokenNeeded : .wrongToken)
    }

    /// Counts a wrong token, so that a client can try only a few tokens a minute. A request without a token does not count.
    func countGuess(in head: HTTPRequestHead) throws {
        guard AccessToken.isTried(in: head.headers, cookie: Self.cookie), !isTrusted(head) else { return }
        let now = now()
        let count = wrong.update { times in
            times = times.filter { now - $0 < Self.window }
            if times.count <= Self.mostWrong { times.append(now) }
            return times.count
        }
        if count > Self.mostWrong { throw WebFailure.problem(.tooManyTokens) }
    }

    /// The value of `Set-Cookie`. No script can read the cookie, and no page of another server can make the browser send it.
    ///
    /// - Parameter path: the path of the page behind a proxy; nil = "/".
    func cookieToSet(path: String?) -> String {
        "\(Self.cookie)=\(token.secret); HttpOnly; SameSite=Strict; Path=\(Self.cookiePath(path)); Max-Age=31536000"
    }

    static func cookieToRemove(path: String?) -> String {
        "\(cookie)=; HttpOnly; SameSite=Strict; Path=\(cookiePath(path)); Max-Age=0"
    }

    /// The path, or "/" if it could end the attribute or the header.
    private static func cookiePath(_ path: String?) -> String {
        guard let path, path.utf8.count <= 1024, path.hasPrefix("/"), path.hasSuffix("/"),
            path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") })
        else { return "/" }
        return path
    }
}

/// Limits the request rate of each host: a token bucket that refills steadily. A value; the caller passes the time. Its memory is bounded.
struct RequestRate: Sendable {
    private struct Store {
        var left: Double
        var time: ContinuousClock.Instant
    }

    /// The largest number of hosts whose buckets are not full. Beyond it, the host that has been idle longest starts with a full bucket.
    static let mostHosts = 1024

    private let perSecond: Double
    private let atOnce: Double
    private var stores: [[UInt8]: Store] = [:]

    /// - Parameters:
    ///   - perSecond: the long-term rate of one host.
    ///   - atOnce: the burst after a quiet time.
    init(perSecond: Int, atOnce: Int) {
        self.perSecond = Double(max(perSecond, 1))
        self.atOnce = Double(max(atOnce, 1))
    }

    /// The number of hosts in memory.
    var hostCount: Int { stores.count }

    /// Whether another request of a host is allowed. A refused request does not count.
    ///
    /// - Parameter peer: its address, as a number.
    mutating func admit(_ peer: String, at now: ContinuousClock.Instant) -> Bool {
        let key = Self.key(of: peer)
        if stores[key] == nil, stores.count >= Self.mostHosts { makeRoom(at: now) }
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
        guard stores.count >= Self.mostHosts, let oldest = stores.min(by: { $0.value.time < $1.value.time }) else {
            return
        }
        stores[oldest.key] = nil
    }

    /// The first half of an IPv6 address is the host, because one host can have any number of addresses in its network. An IPv4 address may
    /// appear as an IPv6 address.
    static func key(of peer: String) -> [UInt8] {
        // "fe80::1%eth0" contains a device of this machine.
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
