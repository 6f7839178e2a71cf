import Engines
import EngineWire
import Testing

/// An engine with a fault, and what the host has to find.
struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let choices: [String]
    var limits = EngineLimits.short()
    let isExpected: @Sendable (EngineFailure.Reason) -> Bool

    static func crash(_ signal: Int32) -> @Sendable (EngineFailure.Reason) -> Bool {
        { if case .crashed(signal, _) = $0 { true } else { false } }
    }

    static func refusal(_ kind: Refusal.Kind, _ words: String) -> @Sendable (EngineFailure.Reason) -> Bool {
        { reason in
            if case .refused(let refusal) = reason {
                refusal.kind == kind && refusal.reason.contains(words)
            } else {
                false
            }
        }
    }

    static func complaint(_ kind: EngineComplaint.Kind, _ words: String) -> @Sendable (EngineFailure.Reason) -> Bool {
        { reason in
            if case .complained(let complaint) = reason {
                complaint.kind == kind && complaint.message.contains(words)
            } else {
                false
            }
        }
    }

    static func broken(_ words: String) -> @Sendable (EngineFailure.Reason) -> Bool { complaint(.broken, words) }
    static let exit: @Sendable (EngineFailure.Reason) -> Bool = { if case .exited(0, _) = $0 { true } else { false } }
    static let hang: @Sendable (EngineFailure.Reason) -> Bool = { if case .hung = $0 { true } else { false } }
    static let garbage: @Sendable (EngineFailure.Reason) -> Bool = { if case .garbled = $0 { true } else { false } }
}

/// The failure says who, why and what to do.
func expectWords(_ failure: EngineFailure, naming name: String, _ place: SourceLocation = #_sourceLocation) {
    #expect(failure.message.contains(name), sourceLocation: place)
    #expect(failure.message.hasSuffix("."), sourceLocation: place)
    #expect(failure.message.count > name.count + 5, sourceLocation: place)
    #expect(failure.remedy.count > 10, sourceLocation: place)
    #expect(
        !failure.message.unicodeScalars.contains { $0.properties.generalCategory == .control }, sourceLocation: place)
}
