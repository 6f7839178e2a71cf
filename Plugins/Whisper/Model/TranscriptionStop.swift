import ONNXInference
import Synchronization

/// With which another thread stops a transcription: between two tokens, or within a run of the model.
///
/// Once stopped it stays so; make a new one for each transcription.
package final class TranscriptionStop: Sendable {
    private struct State {
        var isStopped = false
        var run: InferenceRun?
    }

    private let state = Mutex(State())
    /// Runs are waited for on it, so that a stop need not wait for the end of a node.
    private let queue: InferenceQueue

    /// - Parameter queue: On which the runs are made.
    init(queue: InferenceQueue = InferenceQueue()) { self.queue = queue }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// May be called from any thread at any time; returns at once.
    package func stop() {
        let run = state.withLock { state in
            state.isStopped = true
            return state.run
        }
        run?.terminate()
    }

    func check() throws(WhisperError) {
        if isStopped { throw .stopped }
    }

    /// Makes one run that a stop ends.
    ///
    /// - Parameter part: Whose model it is, for errors.
    func run(
        _ session: InferenceSession, _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String],
        of part: WhisperError.Reason
    ) throws(WhisperError) -> [InferenceOutput] {
        let result = Result { () throws(InferenceError) -> [InferenceOutput] in
            let run = try InferenceRun()
            let isStopped = state.withLock { state in
                state.run = run
                return state.isStopped
            }
            defer { state.withLock { $0.run = nil } }
            if isStopped { throw InferenceError(.terminated, "the run was stopped") }
            return try queue.run(as: run) { () throws(InferenceError) -> [InferenceOutput] in
                try session.run(inputs, outputs: outputs, as: run)
            }
        }
        switch result {
        case .success(let outputs): return outputs
        case .failure(let error): throw WhisperError(error, of: part)
        }
    }
}
