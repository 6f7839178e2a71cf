import Foundation
import Synchronization
import Testing
import TestSupport

@testable import SynthGraphs
@testable import SynthInference

@Suite(.ownThreads) struct InferenceQueueTests {
    private func speak(
        _ queue: InferenceQueue, _ session: InferenceSession, _ ids: [Int64], as run: InferenceRun,
        output: String = "output"
    ) throws -> [Float] {
        try queue.run(as: run) { () throws(InferenceError) in
            let outputs = try session.run(TestVoice.inputs(ids), outputs: [output], as: run)
            return outputs[0].withFloats { Array($0) } ?? []
        }
    }

    @Test("A stopped run returns immediately, and the next run is complete")
    func termination() throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let queue = InferenceQueue()
        let expected = try TestVoice.speak(session)
        var stopped = 0
        // On a busy machine, the stop may come too late, but not every time.
        while stopped < 3 {
            let run = try InferenceRun()
            DispatchQueue.global(qos: .userInteractive).async { run.terminate() }
            do {
                _ = try speak(queue, session, TestVoice.long, as: run)
            } catch let error as InferenceError {
                #expect(error.reason == .terminated)
                stopped += 1
            }
            let isWhole = try speak(queue, session, TestVoice.ids, as: InferenceRun()) == expected
            #expect(isWhole)
        }
    }

    @Test("A run that is stopped while waiting for another run returns immediately")
    func waiting() throws {
        let queue = InferenceQueue()
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let (hasBegun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (hasReturned, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (other, stopped) = (try InferenceRun(), try InferenceRun())
        Thread.detachNewThread {
            _ = try? queue.run(as: other) { () throws(InferenceError) -> Void in
                hasBegun.signal()
                gate.wait()
            }
            isOver.signal()
        }
        hasBegun.wait()
        stopped.terminate()
        let reason = Mutex<InferenceError.Reason?>(nil)
        Thread.detachNewThread {
            do {
                _ = try self.speak(queue, session, TestVoice.long, as: stopped)
            } catch {
                reason.withLock { $0 = (error as? InferenceError)?.reason }
            }
            hasReturned.signal()
        }
        let end = hasReturned.wait(timeout: .now() + 600)
        #expect(end == .success)
        #expect(reason.withLock { $0 } == .terminated)
        gate.signal()
        isOver.wait()
    }

    @Test("An error thrown by the model is passed on unchanged")
    func modelError() throws {
        let queue = InferenceQueue()
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let error = #expect(throws: InferenceError.self) {
            try speak(queue, session, TestVoice.ids, as: InferenceRun(), output: "no such output")
        }
        #expect(error?.reason == .run)
    }

    @Test("Callers that share a queue each get their own audio, even if their runs have to wait", arguments: [1, 2, 3])
    func sharing(limit: Int) async throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let expected = try TestVoice.speak(session)
        var queue: InferenceQueue? = InferenceQueue(atOnce: limit)
        weak let gone = queue
        let isSame = try await withThrowingTaskGroup(of: Bool.self) { [queue] group in
            for _ in 0..<6 {
                group.addTask {
                    guard let queue else { return false }
                    return try self.speak(queue, session, TestVoice.ids, as: InferenceRun()) == expected
                }
            }
            return try await group.allSatisfy { $0 }
        }
        #expect(isSame)
        queue = nil
        // The queue is freed only after its threads have ended.
        #expect(gone == nil)
    }
}
