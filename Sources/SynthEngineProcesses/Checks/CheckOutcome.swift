package import SynthEngineWire
package import SynthSystem

/// How a check ended: with the result that its process reported, or with the end of that process.
package struct CheckOutcome: Equatable, Sendable {
    package var verdict: CheckVerdict
    package var detail: Detail
    package var measurements: [Measurement] = []
    /// The calls that the engine was refused, each phrased to follow "It was refused"; at most `mostRefused`.
    package private(set) var refused: [String] = []

    /// The largest number of refused calls that a check reports, each once.
    package static let mostRefused = 64

    init(_ verdict: CheckVerdict, _ detail: Detail) {
        self.verdict = verdict
        self.detail = detail
    }

    init(_ finding: CheckFinding) {
        verdict = finding.verdict
        detail = .found(finding.detail)
        measurements = finding.measurements
    }

    /// Sets the outcome of the check for refused calls. Other checks report why an engine does not speak, if refused calls are not the
    /// reason.
    mutating func weigh(refused: [String]) {
        self.refused = refused
        switch verdict {
        case .passed where !refused.isEmpty: (verdict, detail) = (.warning, .onlyRefused)
        case .failed where refused.isEmpty: verdict = .skipped
        default: break
        }
    }

    /// `doing` is the last task of the engine, phrased to follow "while".
    package enum Detail: Equatable, Sendable {
        case found(CheckDetail)
        /// Only refused calls are reported.
        case onlyRefused
        /// An earlier check that this one requires ended with this verdict.
        case requirement(Check, CheckVerdict)
        /// The program with this path did not start.
        case notStarted(String, Errno)
        /// No folder for temporary files could be created.
        case noFolder(Errno)
        /// The check returned no result within this time.
        case hung(Duration, doing: String?)
        /// `lastWords` is the last line of the output.
        case crashed(signal: Int32, doing: String?, lastWords: String?)
        case exited(code: Int32, doing: String?, lastWords: String?)
        /// The kernel ended the process because of this action.
        case forbidden(ForbiddenAction, doing: String?)
    }
}

/// How a check ended.
package enum CheckVerdict: UInt8, CaseIterable, Sendable {
    case passed = 0
    /// It works, but could be better.
    case warning = 1
    case failed = 2
    /// The process of the check exited without a result, or did not end in time.
    case crashed = 3
    /// It could not run; the detail has the reason.
    case skipped = 4

    /// The verdict as the report shows it.
    package var word: String {
        switch self {
        case .passed: "passed"
        case .warning: "warning"
        case .failed: "failed"
        case .crashed: "crashed"
        case .skipped: "skipped"
        }
    }
}

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

    /// The engine was not loaded, and this check is about loading.
    package static func failed(_ refusal: Refusal) -> Self { Self(.failed, .refused(refusal, showsRemedy: true)) }
    /// The engine was not loaded, so this check could not run.
    package static func skipped(_ refusal: Refusal) -> Self { Self(.skipped, .refused(refusal, showsRemedy: false)) }
}

/// The explanation of a verdict.
package enum CheckDetail: Equatable, Sendable {
    /// Text from the checking process: one or two sentences.
    case words(String)
    /// The engine was not loaded. `showsRemedy` = the check was about loading it.
    case refused(Refusal, showsRemedy: Bool)
}

/// A number that a check measured.
package struct Measurement: Equatable, Sendable {
    /// "first audio"
    package var name: String
    package var value: Double
    /// "ms", "kB"; empty for a count.
    package var unit: String

    package init(_ name: String, _ value: Double, _ unit: String = "") {
        self.name = name
        self.value = value
        self.unit = unit
    }
}
