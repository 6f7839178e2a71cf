/// What became of the wish to rewrite a model.
public struct RewriteOutcome: Sendable, Equatable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        /// The model in the cache is the rewritten one, and gives the same samples.
        case rewritten
        /// The model is not known, so it is used as it is.
        case unknown
        /// The rewritten model did not give the same samples, so the model is used as it is.
        case failed
    }

    public var kind: Kind
    /// Half a sentence: what was rewritten, or why not.
    public var description: String

    /// - Parameter description: May quote names of a model, which have any length.
    package init(_ kind: Kind, _ description: String) {
        let line = String(description.map { $0.isNewline ? " " : $0 })
        self.kind = kind
        self.description = line.count > Self.longest ? line.prefix(Self.longest) + "…" : line
    }

    private static let longest = 300

    /// For the log. If the check failed, somebody should know, so then it is a sentence.
    public var note: String {
        switch kind {
        case .rewritten: "rewritten: \(description)"
        case .unknown: "not rewritten, because \(description)"
        case .failed: "The model stays as published, because its faster form failed the check: \(description)."
        }
    }

    /// For the cache's record; one line.
    package var text: String { "\(kind.rawValue) \(description)" }

    package init?(text: some StringProtocol) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        self.init(kind, String(parts[1]))
    }
}

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

    /// What an engine asks for that has its models rewritten.
    public static let variables = [switchName] + ModelPrecision.variables

    package init(isFromCache: Bool, rewriting: RewriteOutcome?, isOff: Bool) {
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
