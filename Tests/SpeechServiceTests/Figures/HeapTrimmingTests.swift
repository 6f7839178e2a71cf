import Testing

@testable import SynthService

@Suite("When the heap of a service is trimmed")
struct HeapTrimmingTests {
    @Test("a second after the last change, at the latest twenty after the first, and once")
    func due() {
        let start = ContinuousClock.now
        var trimming = HeapTrimming()
        #expect(trimming.due == nil)
        trimming.note(at: start)
        #expect(trimming.due == start + .seconds(1))
        // Under a steady load there is no pause.
        for tenth in 1...300 { trimming.note(at: start + .milliseconds(100 * tenth)) }
        #expect(trimming.due == start + .seconds(20))
        trimming.trim()
        #expect(trimming.due == nil)
        trimming.note(at: start + .seconds(40))
        #expect(trimming.due == start + .seconds(41))
    }
}
