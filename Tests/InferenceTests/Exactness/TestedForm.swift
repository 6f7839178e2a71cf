import TestSupport

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

/// A form of a model that must give the samples of the model as published. A further form is a further case here, and
/// is then compared on all models and texts.
enum TestedForm: String, CaseIterable, Sendable {
    /// What the cache makes of the model.
    case rewritten
    /// The same in parts, if its sound can be made so.
    case rewrittenInParts

    /// A model in this form.
    struct Speaker {
        /// What was done to the model.
        var outcome: RewriteOutcome?
        /// Gives the samples of ids.
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
