import CSynthEngine
import Foundation
import Testing
import TestSupport

@Suite(.espeakTurn) struct CancelTests {
    /// Minutes of work in about 170 runs, which is far more than can complete before a cancellation.
    private static let long = String(repeating: "considerable ", count: 4000)

    @Test(
        "Cancellation stops a run of the model, and the next request is complete",
        arguments: LongForm.choose([1, 4], long: Array(1...6)))
    func duringRun(run: Int) throws {
        let voice = try Voice { $0["inference"] = ["noise_scale": 0, "length_scale": 8, "noise_w": 0] }
        let expected = try voice.speak("Test 1.").samples
        let model = try voice.load()
        let lane = try model.open()
        // The engine logs the IDs at the start of each run.
        let logStart = HostLog.lineCount
        let isCancelled = DispatchSemaphore(value: 0)
        let canceller = Thread {
            HostLog.waitForLines(containing: "ids", count: run, after: logStart)
            lane.cancel(1)
            isCancelled.signal()
        }
        canceller.start()
        var request = TestRequest(Self.long, voice: "test-voice")
        request.serial = 1
        let recording = lane.speak(request) { _ in
            // The text is long enough that even a late cancellation arrives before the speech ends.
            if HostLog.lines(after: logStart).count(where: { $0.contains(" ids ") }) >= run {
                isCancelled.wait()
                isCancelled.signal()
            }
            return true
        }
        #expect(recording.status == SYNTH_CANCELLED)
        #expect(recording.violations.isEmpty, "\(recording.violations)")
        request = TestRequest("Test 1.", voice: "test-voice")
        request.serial = 2
        #expect(isSame(lane.speak(request).samples, expected))
        lane.close()
        model.unload()
    }

    @Test("After a cancellation, the sink is not called again", arguments: [1, 2, 3, 4])
    func duringCall(call: Int) throws {
        let model = try Voice().load()
        let lane = try model.open()
        var request = TestRequest("One. Two. Three. Four. Five.", voice: "test-voice")
        request.serial = 1
        let recording = lane.speak(request) { recording in
            if recording.calls == call { lane.cancel(1) }
            return true
        }
        #expect(recording.status == SYNTH_CANCELLED)
        #expect(recording.calls == call)
        lane.close()
        model.unload()
    }

    @Test(
        "A cancellation before a request prevents its audio, and the cancellation of an earlier request has no effect")
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

    @Test("A sink that returns false is not called again", arguments: [1, 2, 3, 4])
    func listener(calls: Int) throws {
        let recording = try Voice().speak("One. Two. Three. Four. Five.", shouldContinue: { $0.calls < calls })
        #expect(recording.status == SYNTH_CANCELLED)
        #expect(recording.calls == calls)
        #expect(recording.violations.isEmpty, "\(recording.violations)")
    }
}
