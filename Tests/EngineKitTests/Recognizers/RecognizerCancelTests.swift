import CSynthEngine
import EngineKit
import Foundation
import Testing
import TestSupport

@Suite("Cancellation of a recognizer in EngineKit")
struct RecognizerCancelTests {
    let lane: LoadedRecognizerLane

    init() throws {
        lane = try .probe()
    }

    /// Reports a final text and two events per block of ten frames.
    private static let busy: Acts.Act = { _, sound, hearing in
        while true {
            let begin = sound.frame
            guard try !sound.block(10).isEmpty else { return }
            try hearing.speechBegins(at: begin)
            try hearing.final(RecognizedText("Hello", frames: begin..<sound.frame))
            try hearing.speechEnds(at: sound.frame)
        }
    }

    private func listen(
        _ serial: UInt64, on lane: LoadedRecognizerLane? = nil,
        shouldContinue: @escaping (RecordedRecognition) -> Bool = { _ in true },
        _ act: @escaping Acts.Act = busy
    ) -> RecordedRecognition {
        (lane ?? self.lane).listen(to: ramp(1000), as: { $0.serial = serial }, shouldContinue: shouldContinue, act)
    }

    @Test("A cancellation before a request starts prevents that request and all earlier ones but no later ones")
    func cancelsBeforehand() {
        lane.cancel(5)
        let early = listen(4)
        #expect(early.status == SYNTH_CANCELLED && early.calls == 0 && early.frame == 0)
        #expect(listen(5).status == SYNTH_CANCELLED)
        lane.cancel(2)
        #expect(listen(5).status == SYNTH_CANCELLED)
        #expect(listen(6).status == SYNTH_OK)
    }

    @Test("A cancellation inside a callback stops the request before its next call to the host")
    func cancelsDuring() {
        let lane = lane
        let record = listen(
            1,
            shouldContinue: { record in
                if record.calls == 20 { lane.cancel(1) }
                return true
            })
        #expect(record.status == SYNTH_CANCELLED && record.calls == 20 && record.violations.isEmpty)
        #expect(listen(2).finals.count == 100)
    }

    @Test("Cancelling one lane does not affect other lanes that are listening")
    func leavesOtherLanes() throws {
        let lane = lane
        let other = try LoadedRecognizerLane.probe()
        var meanwhile: RecordedRecognition?
        let record = listen(
            1,
            shouldContinue: { record in
                guard record.calls == 10 else { return true }
                lane.cancel(1)
                meanwhile = listen(1, on: other)
                return true
            })
        #expect(record.status == SYNTH_CANCELLED)
        #expect(meanwhile?.status == SYNTH_OK && meanwhile?.finals.count == 100)
    }

    @Test("A cancellation reaches a recognizer that computes without making calls or waits in a library")
    func reachesBusyRecognizer() {
        let lane = lane
        let acts: [Acts.Act] = [
            { _, _, hearing in
                try hearing.check()
                while !hearing.isCancelled {}
            },
            { _, _, hearing in
                try hearing.check()
                let stopped = DispatchSemaphore(value: 0)
                try hearing.interrupting({ stopped.signal() }) {
                    stopped.wait()
                    throw EngineError(.failed, "The library was interrupted.")
                }
            },
        ]
        for (serial, act) in zip(UInt64(1)..., acts) {
            let began = DispatchSemaphore(value: 0)
            let canceller = Thread {
                began.wait()
                lane.cancel(serial)
            }
            canceller.start()
            let record = listen(
                serial,
                shouldContinue: { _ in
                    began.signal()
                    return true
                }, act)
            #expect(record.status == SYNTH_CANCELLED && record.outcome.message.isEmpty)
        }
    }

    @Test("Once any call, including a read, has returned false, no further calls are made", arguments: 1...30)
    func stopsAtFalse(call: Int) {
        let record = listen(1, shouldContinue: { $0.calls < call })
        #expect(record.status == SYNTH_CANCELLED && record.calls == call)
        #expect(record.violations.isEmpty && record.outcome.message.isEmpty)
    }

    @Test("A call that returns false stops even a recognizer that swallows the error")
    func stopsRecognizerThatSwallowsErrors() {
        let record = listen(1, shouldContinue: { $0.calls < 3 }) { _, sound, hearing in
            for _ in 0..<10 {
                _ = try? sound.block(10)
                try? hearing.final(RecognizedText("Hello", frames: 0..<1))
            }
        }
        #expect(record.status == SYNTH_CANCELLED && record.calls == 3 && record.violations.isEmpty)
    }

    @Test("The end of the audio after a stop is not mistaken for the end of the recording")
    func tellsStopFromEnd() {
        // The host ends the read of a request that is being stopped and reports the stop in the next call.
        let record = lane.listen(to: [], shouldContinue: { _ in false }) { _, sound, hearing in
            _ = try sound.rest()
            try hearing.final(RecognizedText("All was heard.", frames: 0..<0))
        }
        #expect(record.status == SYNTH_CANCELLED && record.texts.isEmpty && record.calls == 1)
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
            let first = listen(round)
            #expect(first.status == SYNTH_OK ? first.finals.count == 100 : first.status == SYNTH_CANCELLED)
            #expect(first.violations.isEmpty)
            let second = listen(round + 1)
            #expect(second.status == SYNTH_OK && second.finals.count == 100)
            done.wait()
        }
    }
}
