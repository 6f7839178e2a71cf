/// Which form of its model a session runs. As text: half a sentence for the log.
public enum ModelForm: Sendable, Equatable, CustomStringConvertible {
    /// One that computes the same faster, and what was changed.
    case rewritten(String)
    /// As its author published it, and why, if another form was wanted.
    case published(because: String?)
    /// As its author published it, because the cache does not hold its own form yet.
    case notMade

    public var description: String {
        switch self {
        case .rewritten(let what): "rewritten: \(what)"
        case .published(nil): "as published"
        case .published(let reason?): "as published, because \(reason)"
        case .notMade: "not made yet, so as published until it has spoken once"
        }
    }

    /// A variable of the environment that, with the value 1, turns all rewriting off: for comparing, and for whoever
    /// mistrusts it.
    public static let switchName = "SYNTHHOST_ORIGINAL_MODELS"

    init(isFromCache: Bool, rewriting: RewriteOutcome?, isOff: Bool) {
        self =
            switch (isOff, isFromCache, rewriting?.kind) {
            case (true, _, _): .published(because: "\(Self.switchName) is 1")
            case (false, false, _): .notMade
            case (false, true, .rewritten?): .rewritten(rewriting?.description ?? "")
            case (false, true, .unknown?): .published(because: rewriting?.description)
            case (false, true, .failed?): .published(because: "the check failed: \(rewriting?.description ?? "")")
            case (false, true, nil): .published(because: nil)
            }
    }
}

extension InferenceSession {
    public var form: ModelForm {
        ModelForm(isFromCache: isFromCache, rewriting: rewriting, isOff: GraphRewriter.isOff)
    }
}
