import SynthModelStore
import SynthSystem
import Testing

@Suite("Machines without a network")
struct NoNetworkTests {
    private static let heading =
        "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
    private static let local = "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
    private static let outside = "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
    private static let refused = "lo\t00000000\t00000000\t0200\t0\t0\t0\t00000000\t0\t0\t0\n"

    private static func route6(_ prefix: String, _ flags: String, _ device: String) -> String {
        let zero = String(repeating: "0", count: 32)
        return "\(zero) \(prefix) \(zero) 00 \(zero) 00000400 00000001 00000000 \(flags) \(device)\n"
    }

    @Test(
        "A network is available if there is a usable default route",
        arguments: [
            (heading + outside + local, "", true), (heading + local, "", false), (heading, "", false), ("", "", false),
            (heading + refused, "", false), (heading + local, route6("00", "00000003", "eth0"), true),
            (heading, route6("00", "00200200", "lo"), false), (heading, route6("40", "00000001", "eth0"), false),
            ("nonsense\n\t\n", "nonsense", false),
        ])
    func routes(ipv4: String, ipv6: String, leadOutside: Bool) {
        #expect(NetworkRoutes(ipv4: ipv4, ipv6: ipv6).leadOutside == leadOutside)
    }

    @Test("Without a network, there are no retries; with one, an unknown host name is retried once")
    func attempts() {
        let policy = RetryPolicy()
        #expect(policy.attempts(after: .nameNotFound(hasNetwork: false)) == 1)
        #expect(policy.attempts(after: .nameNotFound(hasNetwork: true)) == 2)
        #expect(policy.attempts(after: .nothingArrives) == policy.attempts)
        #expect(policy.attempts(after: .connection(code: 7, detail: "refused")) == policy.attempts)
        #expect(RetryPolicy(attempts: 1).attempts(after: .nameNotFound(hasNetwork: true)) == 1)
    }
}
