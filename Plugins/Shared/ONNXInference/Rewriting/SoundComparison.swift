import Glibc
import Synchronization

/// Compares forms of a model with the original one, by a short sound of each.
final class SoundComparison: Sendable {
    private let check: RewriteCheck
    /// The model as it is published, which somebody may use at the same time.
    private let original: SessionStages
    /// Outputs of it that hold its noise.
    private let noise: [String]
    private let runtime: InferenceRuntime
    private let threads: Int
    private let expected = Mutex<WorkResult<Result<RewriteCheck.Expected, any Error>>?>(nil)

    /// - Parameter threads: Of one run.
    init(
        _ check: RewriteCheck, with original: SessionStages, noise: [String], _ runtime: InferenceRuntime, threads: Int
    ) {
        self.check = check
        self.original = original
        self.noise = noise
        self.runtime = runtime
        self.threads = threads
    }

    /// The output that holds the samples.
    var output: String { check.output }

    /// Begins to make the sound of the original one, on another thread, unless it has begun. Call `end` after it.
    func begin() {
        expected.withLock { expected in
            guard expected == nil else { return }
            expected = WorkResult { [check, original, noise, runtime, threads] in
                Result {
                    let session = try InferenceSession(
                        InferenceSession.Made(stages: original), runtime, threads: threads, modelSize: 0)
                    return try check.expected(session, noise: noise)
                }
            }
        }
    }

    /// The largest difference of the samples of rewritten graphs.
    func difference(of parts: ModelParts, in entry: GraphCache.Entry) throws -> Float {
        let graphs = 0..<parts.graphCount
        defer { for number in graphs { unlink(entry.compared(number)) } }
        let compared = try graphs.map { number in
            let (graph, copy) = (entry.rewritten(number), entry.compared(number))
            return try ModelNoise.copyWithout(graph, to: copy) ? copy : graph
        }
        // Opened while the original may still speak.
        let rewritten = try InferenceSession(optimized: compared, parts, runtime, threads: threads)
        guard let expected = expected.withLock({ $0 }) else { return .infinity }
        return try check.difference(try expected.value.get(), rewritten)
    }

    /// Waits until the original is no longer used here.
    func end() { _ = expected.withLock { $0 }?.value }
}
