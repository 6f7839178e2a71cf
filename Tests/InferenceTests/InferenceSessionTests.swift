import Foundation
import Synchronization
import SynthInference
import Testing
import TestSupport

@Suite struct InferenceSessionTests {
    @Test("A session knows the names and types of its inputs and outputs")
    func description() throws {
        let session = try InferenceSession(model: TestVoice.flock, threads: 1)
        #expect(session.inputs.map(\.name) == ["input", "input_lengths", "scales", "sid"])
        #expect(session.inputs.map(\.element) == [.int64, .int64, .float32, .int64])
        #expect(session.outputs.map(\.name) == ["output"])
        #expect(session.outputs.map(\.element) == [.float32])
        #expect(session.exposed == nil)
    }

    @Test("Metadata is looked up by key and is nil if missing")
    func metadata() throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        #expect(try session.metadata("sample_rate") == "22050")
        #expect(try session.metadata("no such key") == nil)
    }

    @Test(
        "An intermediate tensor can be exposed without changing the audio, and its values add up to the audio's length")
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
        "If the operation occurs in no node or in more than one, nothing is exposed",
        arguments: ["NoSuchOperation", "Add"])
    func noExposure(operation: String) throws {
        let session = try InferenceSession(model: TestVoice.tern, exposing: operation, threads: 1)
        #expect(session.exposed == nil)
        #expect(session.outputs.map(\.name) == ["output"])
    }

    @Test("Threads that share a session get the same audio as a single thread")
    func sharing() async throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let expected = try TestVoice.speak(session)
        try await withThrowingTaskGroup(of: [Float].self) { group in
            for _ in 0..<8 { group.addTask { try TestVoice.speak(session) } }
            for try await samples in group { #expect(isSame(samples, expected)) }
        }
    }

    @Test("A run that is stopped before it starts does not run, and the session still works")
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

    @Test("A run can be stopped from another thread", .ownThreads)
    func terminationDuring() throws {
        let session = try InferenceSession(model: TestVoice.tern, threads: 1)
        let whole = RunOnThread(session, as: try InferenceRun())
        _ = try whole.result()
        // On a busy machine, the stop may come too late, but not every time.
        while true {
            let run = try InferenceRun()
            let stopped = RunOnThread(session, as: run)
            stopped.waitForWork(whole.work / 4)
            run.terminate()
            guard case .failure(let error) = Result(catching: { try stopped.result() }) else { continue }
            #expect((error as? InferenceError)?.reason == .terminated)
            return
        }
    }

    @Test("Inputs that do not match the model cause an error that includes the reason")
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
        "An incomplete or invalid model file is rejected",
        arguments: ["empty", "html", "half", "cut", "folder", "missing"])
    func brokenModels(kind: String) throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(filePath: TestVoice.tern))
        let path =
            switch kind {
            case "empty": try folder.write(Data(), to: "model.onnx")
            case "html": try folder.write(Data("<!DOCTYPE html><html>Not found</html>".utf8), to: "model.onnx")
            case "half": try folder.write(whole.prefix(whole.count / 2), to: "model.onnx")
            case "cut": try folder.write(whole.dropLast(1), to: "model.onnx")
            case "folder": folder.path
            default: folder.path + "/model.onnx"
            }
        let error = #expect(throws: InferenceError.self) {
            try InferenceSession(model: path, exposing: "Ceil", threads: 1, cacheDirectory: folder.path)
        }
        #expect(error?.reason == .model)
    }
}
