import SynthEngineProcesses
import SynthEngineWire
import Testing

/// An engine with a fault, and the error that the host should report.
struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let choices: [String]
    var limits = EngineLimits.short()
    let isExpected: @Sendable (EngineFailure.Reason) -> Bool

    static func crash(_ signal: Int32) -> @Sendable (EngineFailure.Reason) -> Bool {
        { if case .crashed(signal, _) = $0 { true } else { false } }
    }

    static func refusal(_ flaw: Refusal.Flaw, of part: EnginePart = .file) -> @Sendable (EngineFailure.Reason) -> Bool {
        { $0 == .refused(Refusal(flaw, of: part)) }
    }

    static func refusal(_ isExpected: @escaping @Sendable (Refusal) -> Bool) -> @Sendable (EngineFailure.Reason) -> Bool
    {
        { if case .refused(let refusal) = $0 { isExpected(refusal) } else { false } }
    }

    static func unusable(
        _ field: DescriptionField.Name, ofVoice voice: String? = nil
    ) -> @Sendable (EngineFailure.Reason) -> Bool {
        refusal(.description(.unusable(DescriptionField(field, ofVoice: voice))))
    }

    static func error(_ kind: EngineError.Kind, _ words: String) -> @Sendable (EngineFailure.Reason) -> Bool {
        { reason in
            if case .reported(let error) = reason {
                error.kind == kind && error.message.contains(words)
            } else {
                false
            }
        }
    }

    static func violation(_ words: String) -> @Sendable (EngineFailure.Reason) -> Bool {
        error(.violatedContract, words)
    }
    static let exit: @Sendable (EngineFailure.Reason) -> Bool = { if case .exited(0, _) = $0 { true } else { false } }
    static let hang: @Sendable (EngineFailure.Reason) -> Bool = { if case .hung = $0 { true } else { false } }
    static let garbage: @Sendable (EngineFailure.Reason) -> Bool = {
        if case .violatedProtocol = $0 { true } else { false }
    }
}
