package import SynthEngineWire
package import SynthSystem

/// How a check ended: with the result that its process reported, or with the end of that process.
package struct CheckOutcome: Equatable, Sendable {
    package var verdict: CheckVerdict
    package var detail: Detail
    package var measurements: [Measurement] = []
    /// What the engine asked for and was refused, each phrased to follow "It was refused"; at most `mostRefused`.
    package private(set) var refused: [String] = []

    /// The check tells so many of them, and each once.
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

    /// The outcome of the check that asks what is refused. Why an engine does not speak is for other checks to say, if it has
    /// nothing to do with that.
    mutating func weigh(refused: [String]) {
        self.refused = refused
        switch verdict {
        case .passed where !refused.isEmpty: (verdict, detail) = (.warning, .onlyRefused)
        case .failed where refused.isEmpty: verdict = .skipped
        default: break
        }
    }

    /// `doing` is what the engine was asked to do last, phrased to follow "while".
    package enum Detail: Equatable, Sendable {
        case found(CheckDetail)
        /// There is nothing to say but what it was refused.
        case onlyRefused
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

/// How a check ended.
package enum CheckVerdict: UInt8, CaseIterable, Sendable {
    case passed = 0
    /// Works, but could be better.
    case warning = 1
    case failed = 2
    /// The process of the check ended by itself, or did not end in time.
    case crashed = 3
    /// Could not run; the detail says why.
    case skipped = 4

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

    /// The engine was not loaded, and the check was about that.
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
