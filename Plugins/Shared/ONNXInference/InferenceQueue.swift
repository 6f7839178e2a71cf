import Dispatch
import Synchronization

/// The runs of one caller, one after the other, on a thread of their own.
///
/// The library looks whether to stop only between two nodes, and a vocoder's longest takes a tenth of the whole run. A
/// run that is terminated here returns at once; what is left of its node is computed behind the caller's back, and the
/// next run begins when it is done.
public final class InferenceQueue: Sendable {
    private let session: InferenceSession
    private let queue = DispatchQueue(label: "inference", qos: .userInitiated)

    public init(_ session: InferenceSession) {
        self.session = session
    }

    deinit {
        // Nothing holds the session any more when this is gone.
        queue.sync {}
    }

    /// As `InferenceSession.run`, but for the thread. `run` belongs to this call alone.
    public func run(
        _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String], as run: InferenceRun
    ) throws(InferenceError) -> [InferenceOutput] {
        let answer = Answer()
        queue.async { [session] in
            do throws(InferenceError) {
                let found = try session.run(inputs, outputs: outputs, as: run)
                answer.result.withLock { $0 = .success(found) }
            } catch {
                answer.result.withLock { $0 = .failure(error) }
            }
            run.finish()
        }
        run.wait()
        guard let result = answer.result.withLock({ $0 }) else {
            throw InferenceError(.terminated, "the run was stopped")
        }
        return try result.get()
    }

    private final class Answer: Sendable {
        let result = Mutex<Result<[InferenceOutput], InferenceError>?>(nil)
    }
}
