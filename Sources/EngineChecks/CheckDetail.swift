package import EngineWire

/// What a check says of its verdict.
package enum CheckDetail: Equatable, Sendable {
    /// In the words of the process that checks: one sentence, or two.
    case words(String)
    /// The engine is not loaded. `showsRemedy` = whether it can be was the question of the check.
    case refused(Refusal, showsRemedy: Bool)
}
