import EngineChecks

extension CheckDetail {
    /// One sentence, or two.
    var words: String {
        switch self {
        case .words(let words): words
        case .refused(let refusal, showsRemedy: true): "It \(refusal.reason). \(refusal.remedy)"
        case .refused(let refusal, showsRemedy: false): "It \(refusal.reason)."
        }
    }
}
