import SynthListening
import Testing

@Suite("Ending a recording")
struct ListeningEndTests {
    private let limits = ListeningEnd(rate: 1000, timeout: 8, inactivity: 2)

    @Test("The timeout ends a recording without speech")
    func nothing() {
        #expect(limits.reason(at: 7999) == nil && limits.left(at: 3000) == 5000)
        #expect(limits.reason(at: 8000) == .nothingSaid && limits.left(at: 9000) == 0)
    }

    @Test("After speech, a pause of the given length ends a recording, but a shorter pause does not")
    func silence() {
        var end = limits
        end.speechBegins()
        #expect(end.reason(at: 5000) == nil && end.left(at: 5000) == 3000)
        end.speechEnds(at: 3000)
        #expect(end.reason(at: 4999) == nil && end.left(at: 4000) == 1000)
        #expect(end.reason(at: 5000) == .silence)
        end.speechBegins()
        #expect(end.reason(at: 5000) == nil)
        end.speechEnds(at: 6500)
        #expect(end.reason(at: 7999) == nil && end.left(at: 7999) == 1)
    }

    @Test("The timeout ends a recording even during speech")
    func timeout() {
        var end = limits
        end.speechBegins()
        #expect(end.reason(at: 8000) == .timeout)
        end.speechEnds(at: 7000)
        #expect(end.reason(at: 8000) == .timeout)
    }
}
