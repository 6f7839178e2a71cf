package import System

/// How a check ended: with the result that its process reported, or with the end of that process.
package struct CheckOutcome: Equatable, Sendable {
    package var verdict: CheckVerdict
    package var detail: Detail
    package var measurements: [Measurement] = []

    init(_ verdict: CheckVerdict, _ detail: Detail) {
        self.verdict = verdict
        self.detail = detail
    }

    init(_ finding: CheckFinding) {
        verdict = finding.verdict
        detail = .found(finding.detail)
        measurements = finding.measurements
    }

    /// `doing` is what the engine was asked to do last, phrased to follow "while".
    package enum Detail: Equatable, Sendable {
        case found(CheckDetail)
        /// An earlier check that this one requires ended with this verdict.
        case requirement(Check, CheckVerdict)
        /// The program did not start; its path.
        case notStarted(String, Errno)
        /// There is no folder for temporary files.
        case noFolder(Errno)
        /// There was no result in this time.
        case hung(Duration, doing: String?)
        /// `lastWords` is the last line that it printed.
        case crashed(signal: Int32, doing: String?, lastWords: String?)
        case exited(code: Int32, doing: String?, lastWords: String?)
        /// The kernel ended the process for it.
        case forbidden(ForbiddenAction, doing: String?)
    }
}
