import CSynthEngine
import EngineKit
import Foundation
import Testing
import TestSupport

@Suite("Cancellation of an engine in EngineKit")
struct CancelTests {
    let lane: LoadedLane

    init() throws {
        lane = try LoadedEngine.probe().load("m", files: ["weights": "/w"]).open()
    }

    func request(_ serial: UInt64, _ text: String = "Hello") -> TestRequest {
        var request = TestRequest(text, voice: "v0")
        request.serial = serial
        return request
    }

    @Test("A cancellation before a request starts prevents that request and all earlier ones but no later ones")
    func cancelsBeforehand() {
        lane.cancel(5)
        let early = lane.speak(request(4))
        #expect(early.status == SYNTH_CANCELLED && early.calls == 0)
        #expect(lane.speak(request(5)).status == SYNTH_CANCELLED)
        #expect(lane.speak(request(6)).status == SYNTH_OK)
    }

    @Test("Cancelling an earlier serial number does not undo a later cancellation")
    func keepsLatest() {
        lane.cancel(9)
        lane.cancel(2)
        #expect(lane.speak(request(9)).status == SYNTH_CANCELLED)
    }

    @Test("A cancellation inside a callback stops the request before the next sink call")
    func cancelsDuring() {
        let lane = lane
        let recording = lane.speak(request(1)) { recording in
            if recording.calls == 20 { lane.cancel(1) }
            return true
        }
        #expect(recording.status == SYNTH_CANCELLED)
        #expect(recording.calls == 20)
        #expect(lane.speak(request(2)).frameCount == 1000)
    }

    @Test("Cancelling one lane does not affect other lanes that are speaking")
    func leavesOtherLanes() throws {
        let lane = lane
        let other = try LoadedEngine.probe().load("m", files: ["weights": "/w"]).open()
        let request = request(1)
        var meanwhile: Recording?
        let recording = lane.speak(request) { recording in
            guard recording.calls == 10 else { return true }
            lane.cancel(1)
            meanwhile = other.speak(request)
            return true
        }
        #expect(recording.status == SYNTH_CANCELLED)
        #expect(meanwhile?.status == SYNTH_OK && meanwhile?.frameCount == 1000)
    }

    @Test("A cancellation after the end of a request has no effect")
    func cancelsAfterwards() {
        #expect(lane.speak(request(1)).status == SYNTH_OK)
        lane.cancel(1)
        #expect(lane.speak(request(2)).status == SYNTH_OK)
    }

    @Test("A cancellation reaches an engine that is computing without writing output")
    func reachesBusyEngine() async throws {
        let lane = lane
        let request = request(1, "busy")
        let began = DispatchSemaphore(value: 0)
        let canceller = Thread {
            began.wait()
            lane.cancel(1)
        }
        canceller.start()
        let recording = lane.speak(request) { recording in
            if recording.calls == 2 { began.signal() }
            return true
        }
        #expect(recording.status == SYNTH_CANCELLED)
    }

    @Test("Once any sink call has returned false, no further calls are made", arguments: 1...30)
    func stopsAtFalse(call: Int) {
        let recording = lane.speak(request(1)) { $0.calls < call }
        #expect(recording.status == SYNTH_CANCELLED)
        #expect(recording.calls == call)
        #expect(recording.violations.isEmpty)
        #expect(recording.outcome.message.isEmpty)
    }

    @Test("A sink call that returns false stops even an engine that swallows the error")
    func stopsEngineThatSwallowsErrors() {
        let recording = lane.speak(request(1, "deaf")) { $0.calls < 3 }
        #expect(recording.status == SYNTH_CANCELLED)
        #expect(recording.calls == 3)
    }

    @Test("A cancellation from another thread at any time is neither lost nor mistakenly applied to the next request")
    func survivesRaces() {
        let lane = lane
        for round in stride(from: UInt64(1), to: 1000, by: 2) {
            let gate = DispatchSemaphore(value: 0)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                gate.wait()
                for _ in 0..<round % 50 { sched_yield() }
                lane.cancel(round)
                done.signal()
            }
            gate.signal()
            let first = lane.speak(request(round))
            #expect(first.status == SYNTH_OK ? first.frameCount == 1000 : first.status == SYNTH_CANCELLED)
            let second = lane.speak(request(round + 1))
            #expect(second.status == SYNTH_OK && second.frameCount == 1000)
            done.wait()
        }
    }
}
