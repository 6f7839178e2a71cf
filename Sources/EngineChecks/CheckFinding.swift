package import EngineWire

/// What a check found. It is also thrown to end one early.
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

    /// The engine is not loaded, which is what was asked.
    package static func failed(_ refusal: Refusal) -> Self { Self(.failed, .refused(refusal, showsRemedy: true)) }
    /// The engine is not loaded, so that nothing can be asked of it.
    package static func skipped(_ refusal: Refusal) -> Self { Self(.skipped, .refused(refusal, showsRemedy: false)) }
}
