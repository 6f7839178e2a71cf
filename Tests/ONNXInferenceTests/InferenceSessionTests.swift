import Foundation
import ONNXInference
import Synchronization
import Testing
import TestSupport

@Suite struct InferenceSessionTests {
    @Test("a session tells the names, types and shapes of its inputs and outputs")
    func description() throws {
        let session = try InferenceSession(model: TestVoice.flock, threads: 1)
        #expect(session.inputs.map(\.name) == ["input", "input_lengths", "scales", "sid"])
        #expect(session.inputs.map(\.element) == [.int64, .int64, .float32, .int64])
        #expect(session.inputs.map(\.shape.count) == [2, 1, 1, 1])
        #expect(session.outputs.map(\.name) == ["output"])
        #expect(session.outputs.map(\.element) == [.float32])
        #expect(session.exposed == nil)
    }

    @Test("metadata is found by its key, and what is not there is nil")
    func metadata() throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        #expect(try session.metadata("sample_rate") == "22050")
        #expect(try session.metadata("no such key") == nil)
    }

    @Test("an inner tensor is exposed without a change to the sound, and adds up to its length")
    func exposure() throws {
        let plain = try InferenceSession(model: TestVoice.tern, threads: 1)
        let session = try InferenceSession(model: TestVoice.tern, exposing: "Ceil", threads: 1)
        let name = try #require(session.exposed)
        #expect(session.outputs.map(\.name) == ["output", name])
        let outputs = try session.run(TestVoice.inputs(), outputs: ["output", name], as: try InferenceRun())
        let samples = try #require(outputs[0].withFloats { Array($0) })
        let frames = try #require(outputs[1].doubles())
        #expect(frames.count == TestVoice.ids.count)
        #expect(Int(frames.reduce(0, +)) * 147 == samples.count)
        #expect(isSame(try TestVoice.speak(plain), samples))
    }

    @Test(
        "nothing is exposed where no node, or more than one, has the operation", arguments: ["NoSuchOperation", "Add"])
    func noExposure(operation: String) throws {
        let session = try InferenceSession(model: TestVoice.tern, exposing: operation, threads: 1)
        #expect(session.exposed == nil)
        #expect(session.outputs.map(\.name) == ["output"])
    }

    @Test("threads that run one session at once all get what a single one gets")
    func sharing() async throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let expected = try TestVoice.speak(session)
        try await withThrowingTaskGroup(of: [Float].self) { group in
            for _ in 0..<8 { group.addTask { try TestVoice.speak(session) } }
            for try await samples in group { #expect(isSame(samples, expected)) }
        }
    }

    @Test("a run that is stopped before it starts does not run, and the session goes on working")
    func terminationBefore() throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let run = try InferenceRun()
        run.terminate()
        let error = #expect(throws: InferenceError.self) {
            try session.run(TestVoice.inputs(), outputs: ["output"], as: run)
        }
        #expect(error?.reason == .terminated)
        #expect(try !TestVoice.speak(session).isEmpty)
    }

    @Test("a run is stopped from another thread", .ownThreads)
    func terminationDuring() throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let whole = try ContinuousClock().measure { _ = try TestVoice.speak(session, TestVoice.long) }
        // A busy machine may wake this thread too late now and then, but not every time.
        for _ in 0..<20 {
            let run = try InferenceRun()
            let ended = DispatchSemaphore(value: 0)
            let result = Mutex<Result<Void, any Error>?>(nil)
            Thread {
                let outcome = Result {
                    _ = try session.run(TestVoice.inputs(TestVoice.long), outputs: ["output"], as: run)
                }
                result.withLock { $0 = outcome }
                ended.signal()
            }.start()
            Thread.sleep(forTimeInterval: whole / .seconds(4))
            run.terminate()
            ended.wait()
            guard case .failure(let error) = result.withLock({ $0 }) else { continue }
            #expect((error as? InferenceError)?.reason == .terminated)
            return
        }
        Issue.record("every run went on to its end")
    }

    @Test("a run that does not fit the model is an error that says what does not fit")
    func wrongInputs() throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        #expect(throws: InferenceError.self) {
            try session.run(
                [("tokens", InferenceTensor([Int64(1)], shape: [1, 1]))], outputs: ["output"], as: InferenceRun())
        }
        #expect(throws: InferenceError.self) {
            try session.run(TestVoice.inputs(), outputs: ["no such output"], as: InferenceRun())
        }
        let error = #expect(throws: InferenceError.self) {
            try session.run(
                [("input", InferenceTensor([Int64(1)], shape: [1, 2]))], outputs: ["output"], as: InferenceRun())
        }
        #expect(error?.reason == .tensor)
    }

    @Test(
        "what is no whole model is refused as a model",
        arguments: ["empty", "html", "half", "cut", "folder", "missing"])
    func brokenModels(kind: String) throws {
        let scratch = try Scratch()
        let whole = try Data(contentsOf: URL(filePath: TestVoice.tern))
        let path =
            switch kind {
            case "empty": try scratch.file("model.onnx", Data())
            case "html": try scratch.file("model.onnx", Data("<!DOCTYPE html><html>Not found</html>".utf8))
            case "half": try scratch.file("model.onnx", whole.prefix(whole.count / 2))
            case "cut": try scratch.file("model.onnx", whole.dropLast(1))
            case "folder": scratch.path
            default: scratch.path + "/model.onnx"
            }
        let error = #expect(throws: InferenceError.self) {
            try InferenceSession(model: path, exposing: "Ceil", threads: 1, cacheDirectory: scratch.path)
        }
        #expect(error?.reason == .model)
    }
}
