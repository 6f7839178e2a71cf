import Synchronization
package import SynthInference

/// A handle that lets another thread stop a sequence of model runs, either between runs or during one.
///
/// A stopped handle stays stopped; create a new handle for each request.
package final class RunStop: Sendable {
    private struct State {
        var isStopped = false
        var run: InferenceRun?
    }

    private let state = Mutex(State())
    /// Performs the runs so that `stop` need not wait for a node to finish.
    private let queue: InferenceQueue

    /// - Parameter queue: The queue for the runs.
    package init(queue: InferenceQueue = InferenceQueue()) { self.queue = queue }

    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Stops the runs. Any thread may call this at any time. Returns immediately.
    package func stop() {
        let run = state.withLock { state in
            state.isStopped = true
            return state.run
        }
        run?.terminate()
    }

    /// Performs a run that `stop` can interrupt.
    package func run(
        _ session: InferenceSession, _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String]
    ) throws(InferenceError) -> [InferenceOutput] {
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
}
