import Testing

@testable import SynthHTTPServer
@testable import SynthWeb

@Suite("Request rate per host")
struct RequestRateTests {
    private let start = ContinuousClock.now

    /// A reference to the rate limiter, so that expectations can change it.
    private final class ConnectionServer {
        private var rate: RequestRate

        init(perSecond: Int, atOnce: Int) { rate = RequestRate(perSecond: perSecond, atOnce: atOnce) }

        var hostCount: Int { rate.hostCount }
        func admit(_ peer: String, at now: ContinuousClock.Instant) -> Bool { rate.admit(peer, at: now) }
    }

    @Test("A burst is permitted, followed by a constant rate")
    func rate() {
        let rate = ConnectionServer(perSecond: 10, atOnce: 25)
        #expect((0..<25).allSatisfy { _ in rate.admit("10.0.0.1", at: start) })
        #expect(!rate.admit("10.0.0.1", at: start))
        #expect(!rate.admit("10.0.0.1", at: start + .milliseconds(99)))
        #expect(rate.admit("10.0.0.1", at: start + .milliseconds(101)))
        #expect(!rate.admit("10.0.0.1", at: start + .milliseconds(101)))
        let later = start + .seconds(1000)
        #expect((0..<100).count { _ in rate.admit("10.0.0.1", at: later) } == 25)
    }

    @Test("Each host has its own rate limit")
    func own() {
        let rate = ConnectionServer(perSecond: 1, atOnce: 1)
        #expect(rate.admit("10.0.0.1", at: start) && !rate.admit("10.0.0.1", at: start))
        #expect(rate.admit("10.0.0.2", at: start) && rate.admit("::1", at: start) && rate.admit("", at: start))
    }

    @Test("An IPv6 network counts as a single host, and both forms of an IPv4 address count as the same address")
    func networks() {
        let rate = ConnectionServer(perSecond: 1, atOnce: 1)
        #expect(rate.admit("2001:db8::1", at: start))
        #expect(!rate.admit("2001:db8::ffff:2", at: start) && !rate.admit("2001:db8:0:0:9::", at: start))
        #expect(rate.admit("2001:db8:0:1::1", at: start))
        #expect(rate.admit("10.0.0.1", at: start) && !rate.admit("::ffff:10.0.0.1", at: start))
        #expect(rate.admit("::ffff:10.0.0.2", at: start))
        #expect(rate.admit("fe80::1%eth0", at: start) && !rate.admit("fe80::2%eth1", at: start))
    }

    @Test("Memory use is bounded regardless of the number of hosts, and idle hosts are forgotten first")
    func bounded() {
        let rate = ConnectionServer(perSecond: 1, atOnce: 2)
        #expect(rate.admit("busy", at: start) && rate.admit("busy", at: start))
        for number in 0..<5000 {
            let now = start + .microseconds(number)
            #expect(rate.admit("10.0.\(number / 256).\(number % 256)", at: now))
            #expect(rate.hostCount <= RequestRate.maximumHosts)
        }
        // A host that has been forgotten may send a burst of requests again.
        let later = start + .seconds(10)
        #expect(rate.admit("other", at: later) && rate.hostCount == 1)
    }

    @Test("A clock that stops or runs backward does not allow more requests")
    func clock() {
        let rate = ConnectionServer(perSecond: 1000, atOnce: 3)
        #expect((0..<10).count { rate.admit("a", at: start - .seconds($0)) } == 3)
    }
}
