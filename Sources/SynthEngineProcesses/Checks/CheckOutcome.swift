package import SynthEngineWire
package import SynthSystem

/// The outcome of a check: the result that its process reported, or how that process ended.
package struct CheckOutcome: Equatable, Sendable {
    package var verdict: CheckVerdict
    package var detail: Detail
    package var measurements: [Measurement] = []
    /// The denied actions, each phrased to follow "It was not allowed"; at most `maximumRefusals`.
    package private(set) var refused: [String] = []

    /// The maximum number of denials that the check reports. Each denial is reported once.
    package static let maximumRefusals = 64

    init(_ verdict: CheckVerdict, _ detail: Detail) {
        self.verdict = verdict
        self.detail = detail
    }

    init(_ finding: CheckFinding) {
        verdict = finding.verdict
        detail = .found(finding.detail)
        measurements = finding.measurements
    }

    /// Adjusts the outcome of the check for denied actions. If the check passed but actions were denied, the verdict
    /// becomes `warning`. If the check failed although nothing was denied, the verdict becomes `skipped`, because other
    /// checks report why the engine does not work.
    mutating func weigh(refused: [String]) {
        self.refused = refused
        switch verdict {
        case .passed where !refused.isEmpty: (verdict, detail) = (.warning, .onlyRefused)
        case .failed where refused.isEmpty: verdict = .skipped
        default: break
        }
    }

    /// The explanation. `step` is the last step that the process reported, phrased to follow "while".
    package enum Detail: Equatable, Sendable {
        case found(CheckDetail)
        /// The denied actions are the only findings.
        case onlyRefused
        /// This check depends on another check, which ended with the given verdict.
        case requirement(Check, CheckVerdict)
        /// The program at this path could not be started.
        case notStarted(String, Errno)
        case noFolder(Errno)
        /// The check did not produce a result within the given time.
        case hung(Duration, step: String?)
        /// The process crashed. `lastLine` is the last line that it printed.
        case crashed(signal: Int32, step: String?, lastLine: String?)
        case exited(code: Int32, step: String?, lastLine: String?)
        /// The kernel killed the process because it attempted the given action.
        case forbidden(ForbiddenAction, step: String?)
    }
}

/// The verdict of a check.
package enum CheckVerdict: UInt8, CaseIterable, Frame {
    case passed = 0
    /// The engine works but has shortcomings.
    case warning = 1
    case failed = 2
    /// The checking process ended unexpectedly, or did not end in time.
    case crashed = 3
    /// The check could not run. The detail explains why.
    case skipped = 4

    /// The word that the report uses for the verdict.
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

/// The result of a check. A check can throw it to end early.
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

    /// Returns the finding of a check that examines loading: the engine could not be loaded.
    package static func failed(_ refusal: Refusal) -> Self { Self(.failed, .refused(refusal, showsRemedy: true)) }
    /// Returns the finding of a check that could not run because the engine could not be loaded.
    package static func skipped(_ refusal: Refusal) -> Self { Self(.skipped, .refused(refusal, showsRemedy: false)) }
}

/// The explanation of a verdict.
package enum CheckDetail: Equatable, Sendable {
    /// Text from the checking process: one or two sentences.
    case words(String)
    /// The engine could not be loaded. `showsRemedy` is true if the check examines loading.
    case refused(Refusal, showsRemedy: Bool)
}

/// A value measured by a check.
package struct Measurement: Equatable, Sendable {
    /// The name, such as "first audio".
    package var name: String
    package var value: Double
    /// The unit, such as "ms" or "kB". Empty for a count.
    package var unit: String

    package init(_ name: String, _ value: Double, _ unit: String = "") {
        self.name = name
        self.value = value
        self.unit = unit
    }
}
