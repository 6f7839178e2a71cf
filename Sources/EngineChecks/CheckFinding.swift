package import EngineWire

/// The result of a check. Throwing it ends a check early.
package struct CheckFinding: Error, Equatable, Sendable {
    package var verdict: CheckVerdict
    package var detail: CheckDetail
    package var measurements: [Measurement]

    package init(_ verdict: CheckVerdict, _ words: String, _ measurements: [Measurement] = []) {
        self.init(verdict, .words(words), measurements)
    }

    package init(_ verdict: CheckVerdict, _ detail: CheckDetail, _ measurements: [Measurement] = []) {
        self.verdict = verdict
        self.detail = detail
        self.measurements = measurements
    }

    package static func passed(_ detail: String, _ measurements: [Measurement] = []) -> Self {
        Self(.passed, detail, measurements)
    }
    package static func warning(_ detail: String, _ measurements: [Measurement] = []) -> Self {
        Self(.warning, detail, measurements)
    }
    package static func failed(_ detail: String, _ measurements: [Measurement] = []) -> Self {
        Self(.failed, detail, measurements)
    }
    package static func skipped(_ detail: String) -> Self { Self(.skipped, detail) }

    /// The engine was not loaded, and the check was about that.
    package static func failed(_ refusal: Refusal) -> Self { Self(.failed, .refused(refusal, showsRemedy: true)) }
    /// The engine was not loaded, so this check could not run.
    package static func skipped(_ refusal: Refusal) -> Self { Self(.skipped, .refused(refusal, showsRemedy: false)) }
}
