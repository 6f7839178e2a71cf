package import EngineWire

/// The explanation of a verdict.
package enum CheckDetail: Equatable, Sendable {
    /// Text from the checking process: one or two sentences.
    case words(String)
    /// The engine was not loaded. `showsRemedy` = the check was about loading it.
    case refused(Refusal, showsRemedy: Bool)
}
