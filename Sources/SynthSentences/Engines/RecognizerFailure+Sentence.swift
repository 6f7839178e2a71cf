package import SynthEngineProcesses
import SynthEngineWire

/// A recognizer that fails, in words of listening.
extension EngineFailure {
    /// What happened, in one sentence.
    package var recognizerMessage: String {
        switch reason {
        case .reported(let error) where error.kind != .violatedContract:
            "The recognizer \(engine) cannot transcribe this: \(error.words)".asOneLine
        default: message
        }
    }

    /// What to do about it, in one sentence.
    package var recognizerRemedy: String {
        switch reason {
        case .reported(let error) where error.kind == .badRequest: return "`synthhost recognizers` lists others."
        case .reported(let error) where error.kind != .violatedContract: return remedy
        case .refused, .notStarted, .crashed(_, .describing), .exited(_, .describing), .hung(_, .describing),
            .violatedProtocol(.describing):
            return remedy
        default:
            guard missed.isEmpty || !reason.mayBeOfConfinement else { return remedy }
            return "Try again, choose another one with --recognizer, or tell the author of this one."
                + (log.map { " Its log: \($0)" } ?? "")
        }
    }
}
