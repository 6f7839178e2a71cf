import SynthEngineWire
package import SynthSystem

extension SpeechError {
    /// Describes a recognizer's failure. The failure becomes the cause of the error.
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

    /// The conversion to use in `rethrowing(…, as: SpeechError.ofRecognizer)`.
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
