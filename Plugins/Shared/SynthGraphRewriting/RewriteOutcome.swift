/// The result of trying to rewrite a model.
public struct RewriteOutcome: Sendable, Equatable, CustomStringConvertible {
    /// The possible results.
    public enum Kind: String, Sendable {
        /// The cached model was rewritten and produces the same samples as the published model.
        case rewritten
        /// The model is not supported, so it is used unchanged.
        case unknown
        /// The rewritten and the published model produced different samples, so the model is used unchanged.
        case failed
    }

    /// The kind of result.
    public var kind: Kind
    /// A clause that states what was rewritten, or why nothing was rewritten.
    public var description: String

    /// - Parameter description: A clause. It may quote names from a model, which can have any length.
    package init(_ kind: Kind, _ description: String) {
        let line = String(description.map { $0.isNewline ? " " : $0 })
        self.kind = kind
        self.description = line.count > Self.longest ? line.prefix(Self.longest) + "…" : line
    }

    private static let longest = 300

    /// The message for the log. A failed check is important, so it is reported in a complete sentence.
    public var note: String {
        switch kind {
        case .rewritten: "rewritten: \(description)"
        case .unknown: "not rewritten, because \(description)"
        case .failed: "The model runs as published, because its faster variant failed the check: \(description)."
        }
    }

    /// The outcome as one line of the cache record.
    package var text: String { "\(kind.rawValue) \(description)" }

    package init?(text: some StringProtocol) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        self.init(kind, String(parts[1]))
    }
}

/// The variant of the model that a session runs.
public enum ModelForm: Sendable, Equatable, CustomStringConvertible {
    /// A variant that is faster than the published model and produces the same result. The value describes the changes.
    case rewritten(String)
    /// The model as published by the author. If a different variant was requested, the value is the reason.
    case published(because: String?)
    /// The model as published by the author, because the faster variant is not in the cache yet.
    case notMade

    /// A clause for the log.
    public var description: String {
        switch self {
        case .rewritten(let what): "rewritten: \(what)"
        case .published(nil): "as published"
        case .published(let reason?): "as published, because \(reason)"
        case .notMade:
            "as published until the model has been used once, because its faster variant is not in the cache yet"
        }
    }

    /// The environment variable that turns off all rewrites if it is set to 1, for comparisons and for users who do not
    /// trust rewrites.
    public static let switchName = "SYNTHHOST_ORIGINAL_MODELS"

    /// The environment variables that engines with rewritten models read.
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
