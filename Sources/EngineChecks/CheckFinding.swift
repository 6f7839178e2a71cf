/// What a check found. It is also thrown to end one early.
package struct CheckFinding: Error, Equatable, Sendable {
    package var verdict: CheckVerdict
    /// One sentence.
    package var detail: String
    package var measurements: [Measurement]

    package init(_ verdict: CheckVerdict, _ detail: String, _ measurements: [Measurement] = []) {
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
}
