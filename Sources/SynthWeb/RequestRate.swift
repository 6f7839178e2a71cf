import Glibc

/// How often each host may ask: a store of requests that fills steadily and from which each request takes one. A value;
/// time is given. Its memory is bounded, whoever asks.
struct RequestRate: Sendable {
    private struct Store {
        var left: Double
        var time: ContinuousClock.Instant
    }

    /// Hosts whose stores are not full. When there are more, the one begins anew that has asked for nothing the longest.
    static let mostHosts = 1024

    private let perSecond: Double
    private let atOnce: Double
    private var stores: [[UInt8]: Store] = [:]

    /// - Parameters:
    ///   - perSecond: requests of one host in the long run.
    ///   - atOnce: after it was quiet.
    init(perSecond: Int, atOnce: Int) {
        self.perSecond = Double(max(perSecond, 1))
        self.atOnce = Double(max(atOnce, 1))
    }

    /// How many hosts are known now.
    var hostCount: Int { stores.count }

    /// Whether a host may have one more request answered. One that is refused takes nothing.
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

    /// One host has as many addresses of IPv6 as it likes in its network, the first half of the address; one of IPv4 may
    /// come as an address of IPv6.
    static func key(of peer: String) -> [UInt8] {
        // "fe80::1%eth0" names a device of this machine.
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
