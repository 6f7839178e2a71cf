import Testing

@testable import SynthService

@Suite("Trimming a service's heap")
struct HeapTrimmingTests {
    @Test("The heap is trimmed once, one second after the last change or at most twenty seconds after the first")
    func due() {
        let start = ContinuousClock.now
        var trimming = HeapTrimming()
        #expect(trimming.due == nil)
        trimming.note(at: start)
        #expect(trimming.due == start + .seconds(1))
        // A constant load without pauses.
        for tenth in 1...300 { trimming.note(at: start + .milliseconds(100 * tenth)) }
        #expect(trimming.due == start + .seconds(20))
        trimming.trim()
        #expect(trimming.due == nil)
        trimming.note(at: start + .seconds(40))
        #expect(trimming.due == start + .seconds(41))
    }
}
