import TestSupport

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

/// A variant of a model that must produce the published model's samples. Every variant is compared for all models and
/// texts.
enum TestedForm: String, CaseIterable, Sendable {
    /// The rewritten model in the cache.
    case rewritten
    /// The rewritten model, run in parts if its audio can be computed in parts.
    case rewrittenInParts

    /// A variant of a model that can speak.
    struct Speaker {
        /// The result of the rewrite.
        var outcome: RewriteOutcome?
        /// Returns the samples for IDs.
        var speak: ([Int64]) throws -> [Float]
    }

    /// - Parameter cache: A folder for this model and this number of threads.
    func speaker(of model: ExactModel, threads: Int, cache: TemporaryFolder) throws -> Speaker {
        let first = try InferenceSession(
            model: model.path, threads: threads, cacheDirectory: cache.path, rewrittenAs: model.rewriteKind)
        let check = RewriteCheck(model.inputs(Array(1..<40)), output: model.output)
        first.rewrite(checkedBy: check) { _ in }
        first.finishCache()
        let session = try InferenceSession(
            model: model.path, threads: threads, cacheDirectory: cache.path, rewrittenAs: model.rewriteKind)
        return Speaker(outcome: session.rewriting) { ids in
            switch self {
            case .rewrittenInParts where session.runsInParts:
                try RewriteCheck.parts(
                    of: session.runHead(model.inputs(ids), outputs: [], as: InferenceRun()).sound)
            case .rewritten, .rewrittenInParts: try model.speak(session, ids)
            }
        }
    }
}
