import CSynthEngine
import Foundation
import Testing
import TestSupport

@Suite(.espeakTurn) struct CancelTests {
    /// Takes minutes, so that no cancel comes too late however busy the machine is.
    private static let long = String(repeating: "considerable ", count: 4000)

    @Test("a cancel stops a sentence in the making, and the next request is whole")
    func during() async throws {
        let voice = try Voice { $0["inference"] = ["noise_scale": 0, "length_scale": 8, "noise_w": 0] }
        let expected = try voice.speak("Test 1.").samples
        let model = try voice.load()
        let lane = try model.open()
        for serial in stride(from: UInt64(1), to: 12, by: 2) {
            var request = TestRequest(Self.long, voice: "test-voice")
            request.serial = serial
            let wanted = request
            async let spoken = Task.detached { lane.speak(wanted).status }.value
            try await Task.sleep(for: .milliseconds(Int(serial) * 30))
            lane.cancel(serial)
            #expect(await spoken == SYNTH_CANCELLED)
            var next = TestRequest("Test 1.", voice: "test-voice")
            next.serial = serial + 1
            #expect(isSame(lane.speak(next).samples, expected))
        }
        lane.close()
        model.unload()
    }

    @Test("a cancel before the request stops it without a sound, one of an earlier request does nothing")
    func before() throws {
        let model = try Voice().load()
        let lane = try model.open()
        var request = TestRequest("Test 1.", voice: "test-voice")
        request.serial = 5
        lane.cancel(5)
        let stopped = lane.speak(request)
        #expect(stopped.status == SYNTH_CANCELLED && stopped.samples.isEmpty)
        request.serial = 6
        lane.cancel(5)
        #expect(lane.speak(request).status == SYNTH_OK)
        lane.close()
        model.unload()
    }

    @Test("a listener that says stop is not called again", arguments: [1, 2, 3, 4])
    func listener(calls: Int) throws {
        let recording = try Voice().speak("One. Two. Three. Four. Five.", goOn: { $0.calls < calls })
        #expect(recording.status == SYNTH_CANCELLED)
        #expect(recording.calls == calls)
        #expect(recording.violations.isEmpty, "\(recording.violations)")
    }
}
