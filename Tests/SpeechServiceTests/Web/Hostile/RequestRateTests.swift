import Testing

@testable import SynthHTTPServer
@testable import SynthWeb

@Suite("How often a host may ask")
struct RequestRateTests {
    private let start = ContinuousClock.now

    /// The value in a place that expectations may change.
    private final class Door {
        private var rate: RequestRate

        init(perSecond: Int, atOnce: Int) { rate = RequestRate(perSecond: perSecond, atOnce: atOnce) }

        var hostCount: Int { rate.hostCount }
        func admit(_ peer: String, at now: ContinuousClock.Instant) -> Bool { rate.admit(peer, at: now) }
    }

    @Test("is so much at once, and then so much in a second")
    func rate() {
        let rate = Door(perSecond: 10, atOnce: 25)
        #expect((0..<25).allSatisfy { _ in rate.admit("10.0.0.1", at: start) })
        #expect(!rate.admit("10.0.0.1", at: start))
        #expect(!rate.admit("10.0.0.1", at: start + .milliseconds(99)))
        #expect(rate.admit("10.0.0.1", at: start + .milliseconds(101)))
        #expect(!rate.admit("10.0.0.1", at: start + .milliseconds(101)))
        let later = start + .seconds(1000)
        #expect((0..<100).count { _ in rate.admit("10.0.0.1", at: later) } == 25)
    }

    @Test("is each host's own, whoever else asks")
    func own() {
        let rate = Door(perSecond: 1, atOnce: 1)
        #expect(rate.admit("10.0.0.1", at: start) && !rate.admit("10.0.0.1", at: start))
        #expect(rate.admit("10.0.0.2", at: start) && rate.admit("::1", at: start) && rate.admit("", at: start))
    }

    @Test("counts a network of IPv6 as one host, and an address of IPv4 as itself in both forms")
    func networks() {
        let rate = Door(perSecond: 1, atOnce: 1)
        #expect(rate.admit("2001:db8::1", at: start))
        #expect(!rate.admit("2001:db8::ffff:2", at: start) && !rate.admit("2001:db8:0:0:9::", at: start))
        #expect(rate.admit("2001:db8:0:1::1", at: start))
        #expect(rate.admit("10.0.0.1", at: start) && !rate.admit("::ffff:10.0.0.1", at: start))
        #expect(rate.admit("::ffff:10.0.0.2", at: start))
        #expect(rate.admit("fe80::1%eth0", at: start) && !rate.admit("fe80::2%eth1", at: start))
    }

    @Test("takes the same memory however many ask, and forgets who is quiet first")
    func bounded() {
        let rate = Door(perSecond: 1, atOnce: 2)
        #expect(rate.admit("busy", at: start) && rate.admit("busy", at: start))
        for number in 0..<5000 {
            let now = start + .microseconds(number)
            #expect(rate.admit("10.0.\(number / 256).\(number % 256)", at: now))
            #expect(rate.hostCount <= RequestRate.mostHosts)
        }
        // All of them may ask again as before.
        let later = start + .seconds(10)
        #expect(rate.admit("other", at: later) && rate.hostCount == 1)
    }

    @Test("does not grow when the clock stands, and no clock that goes back breaks it")
    func clock() {
        let rate = Door(perSecond: 1000, atOnce: 3)
        #expect((0..<10).count { rate.admit("a", at: start - .seconds($0)) } == 3)
    }
}
