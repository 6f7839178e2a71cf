import Dispatch
import Synchronization
import Testing
import TestSupport

@testable import ONNXInference

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

    @Test("a run that is stopped returns at once, and the next one is complete")
    func termination() throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let queue = InferenceQueue()
        let expected = try TestVoice.speak(session)
        var stopped = 0
        // On a busy machine the stop may come too late sometimes, but not every time.
        for _ in 0..<20 where stopped < 3 {
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
        #expect(stopped == 3)
    }

    @Test("a run that is stopped while another one runs does not wait for it")
    func waiting() async throws {
        let queue = InferenceQueue()
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let order = Mutex<[String]>([])
        let long = try InferenceRun()
        async let first: Void = Task.detached {
            _ = try self.speak(queue, session, TestVoice.long, as: long)
            order.withLock { $0.append("long") }
        }.value
        let stopped = try InferenceRun()
        stopped.terminate()
        #expect(throws: InferenceError.self) { try speak(queue, session, TestVoice.long, as: stopped) }
        order.withLock { $0.append("stopped") }
        try await first
        #expect(order.withLock { $0 } == ["stopped", "long"])
    }

    @Test("an error of the model is passed on unchanged")
    func modelError() throws {
        let queue = InferenceQueue()
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let error = #expect(throws: InferenceError.self) {
            try speak(queue, session, TestVoice.ids, as: InferenceRun(), output: "no such output")
        }
        #expect(error?.reason == .run)
    }

    @Test("callers that share a queue each get their own sound, whether their runs wait or not", arguments: [1, 2, 3])
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
