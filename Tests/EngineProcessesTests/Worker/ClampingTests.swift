import SynthSystem
import Testing

@Suite("Clamping untrusted numbers")
struct ClampingTests {
    @Test("A number is rounded toward zero and clamped")
    func clamping() {
        #expect(Int(clamping: 2.9) == 2)
        #expect(Int(clamping: -2.9) == -2)
        #expect(Int(clamping: 1e30) == .max)
        #expect(Int(clamping: -1e30) == .min)
        #expect(Int(clamping: Double.infinity) == .max)
        #expect(Int(clamping: Double.nan) == 0)
        #expect(Int(clamping: Double(Int.max)) == .max)
        #expect(Int32(clamping: 3e9) == .max)
        #expect(UInt64(clamping: -1.0) == 0)
    }

    @Test("A timeout can have any length")
    func longWait() throws {
        let wakeUp = try WakeUp()
        wakeUp.signal()
        for duration in [Duration.seconds(Int64.max), .seconds(Int64.max / 1000), .seconds(3)] {
            let ready = try Poll.wait([(wakeUp.descriptor.raw, events: 1)], timeout: duration)
            #expect(ready != [0])
        }
    }
}
