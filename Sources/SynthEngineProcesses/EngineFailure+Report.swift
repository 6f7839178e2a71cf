package import SynthEngineWire
package import SynthSystem

extension EngineFailure: ErrorCause {
    package var code: SpeechError.Code {
        switch reason {
        case .crashed, .exited: .engineCrashed
        case .hung: .engineHung
        case .violatedProtocol: .engineContractBroken
        case .refused: .engineNotLoaded
        case .notStarted: .engineNotStarted
        case .unspeakableText: .engineRefused
        case .reported(let error):
            switch error.kind {
            case .missingFile, .badFile: .engineFileInvalid
            case .violatedContract: .engineContractBroken
            case .badRequest: .engineRefused
            case .noMemory, .failed: .engineFailed
            }
        }
    }

    package var facts: SpeechError.Facts {
        var facts = SpeechError.Facts()
        switch reason {
        case .refused(let refusal): facts = refusal.facts
        case .notStarted(.program(let path, let error)): (facts.path, facts.errno) = (path, error.code)
        case .notStarted(.lane(let error)): facts.errno = error.code
        case .crashed(let signal, _): facts.signal = signal
        case .exited(let code, _): facts.status = Int(code)
        case .hung(let limit, _): facts.duration = limit
        case .reported(let error): facts.reason = error.words
        case .notStarted(.noThread), .violatedProtocol, .unspeakableText: break
        }
        facts.engine = engine
        return facts
    }

    package var remedy: SpeechError.Remedy? { remedy(usually: usualRemedy) }

    /// Returns the remedy, which includes granting the missing permissions if their absence may have caused the
    /// failure.
    fileprivate func remedy(usually usual: SpeechError.Remedy) -> SpeechError.Remedy {
        guard !missed.isEmpty, reason.mayBeOfConfinement else { return usual }
        let needs = missed.map { need in
            SpeechError.Remedy.Need(
                what: need.kind.words, word: need.kind.word, variable: need.kind.variable, reason: need.reason.asOneLine
            )
        }
        // Variables are often set even though the engine does not require them, so include the usual remedy too.
        return .allowNeeds(needs, engine: engine, or: missed.allSatisfy { $0.kind.variable != nil } ? usual : nil)
    }

    private var usualRemedy: SpeechError.Remedy {
        switch reason {
        case .refused(let refusal): refusal.remedy
        case .notStarted: .inspectLimits
        case .unspeakableText: .chooseOtherRequest
        case .reported(let error) where error.kind == .badRequest: .chooseOtherRequest
        case .reported(let error) where error.kind != .violatedContract: .inspectInstallation
        case .crashed(_, .describing), .exited(_, .describing), .hung(_, .describing), .violatedProtocol(.describing):
            .rescan(log: log)
        default: .tryOtherEngine(log: log)
        }
    }

    package var message: String { words.asOneLine }

    private var words: String {
        switch reason {
        case .refused(let refusal): "\(engine) \(refusal.reason)."
        case .notStarted(let why): "The worker process for \(engine) did not start: \(why.words)."
        case .crashed(let signal, let activity) where reason.isExternalKill:
            "The engine \(engine) was killed (\(signalName(signal))) \(activity.words), which can happen when memory runs out."
        case .crashed(let signal, let activity):
            "The engine \(engine) crashed (\(signalName(signal))) \(activity.words)."
        case .exited(let code, let activity):
            "The engine \(engine) exited with code \(code) \(activity.words)."
        case .hung(let limit, let activity): "The engine \(engine) hung \(activity.words): no response within \(limit)."
        case .violatedProtocol(let activity): "The engine \(engine) corrupted its worker process \(activity.words)."
        case .reported(let error) where error.kind == .violatedContract:
            "The engine \(engine) violated its contract: \(error.words)"
        case .reported(let error): "The engine \(engine) cannot speak this: \(error.words)"
        case .unspeakableText:
            "The engine \(engine) cannot speak this text: it is too long or contains a NUL character."
        }
    }
}

extension EngineError {
    /// The engine's message, or a default sentence if the message is empty.
    package var words: String { message.isEmpty ? "It did not give a reason." : message }
}

extension EngineFailure.Activity {
    fileprivate var words: String {
        switch self {
        case .describing: "while describing itself"
        case .loading: "while loading"
        case .speaking: "while speaking"
        case .listening: "while transcribing"
        }
    }
}

extension EngineFailure.StartFailure {
    fileprivate var words: String {
        switch self {
        case .program(let path, let error): "\(path): \(error)"
        case .lane(let error): "\(error)"
        case .noThread: "the system or a limit for this user does not allow more threads"
        }
    }
}

extension EngineFailure.Reason {
    /// Whether missing permissions may have caused the failure.
    var mayBeOfConfinement: Bool {
        switch self {
        case .crashed, .exited, .hung: true
        case .reported(let error): [.failed, .missingFile, .badFile].contains(error.kind)
        case .refused, .notStarted, .violatedProtocol, .unspeakableText: false
        }
    }
}

extension SpeechError {
    /// Creates an error that describes a recognizer's failure. The failure becomes the error's cause.
    package init(recognizer failure: EngineFailure) {
        let code: Code =
            switch failure.code {
            case .engineRefused: .recognizerRefused
            case .engineCrashed, .engineHung, .engineContractBroken: .recognizerCrashed
            case .engineNotLoaded, .engineFileInvalid: .recognizerNotLoaded
            default: .recognizerFailed
            }
        var message = failure.message
        if case .reported(let error) = failure.reason, error.kind != .violatedContract {
            message = "The recognizer \(failure.engine) cannot transcribe this: \(error.words)".asOneLine
        }
        self.init(code, message, failure.facts, remedy: Self.remedy(ofRecognizer: failure), cause: failure)
    }

    /// Converts a recognizer's failure. For use in `rethrowing(…, as: SpeechError.ofRecognizer)`.
    package static func ofRecognizer(_ failure: EngineFailure) -> SpeechError { SpeechError(recognizer: failure) }

    private static func remedy(ofRecognizer failure: EngineFailure) -> Remedy? {
        switch failure.reason {
        case .reported(let error) where error.kind == .badRequest: return .chooseOtherModel
        case .reported(let error) where error.kind != .violatedContract: return failure.remedy
        case .refused, .notStarted, .crashed(_, .describing), .exited(_, .describing), .hung(_, .describing),
            .violatedProtocol(.describing):
            return failure.remedy
        default:
            guard failure.missed.isEmpty || !failure.reason.mayBeOfConfinement else { return failure.remedy }
            return .tryOtherRecognizer(log: failure.log)
        }
    }
}
