import EngineChecks

/// `engines validate --json`.
struct ValidationResult: Encodable {
    let file: String
    /// nil if it did not describe itself.
    let engine: Engine?
    let checks: [CheckResult]
    /// How many checks ended with each verdict.
    let totals: [String: Int]

    struct Engine: Encodable {
        let id: String
        let name: String
        let version: String
    }

    struct CheckResult: Encodable {
        let id: String
        let verdict: String
        let detail: String
        let measurements: [Figure]
    }

    struct Figure: Encodable {
        let name: String
        let value: Double
        /// Empty for a count.
        let unit: String
    }

    init(file: String, _ report: Validation.Report, onlyFailed: Bool) {
        self.file = file
        engine = report.engine.map { Engine(id: $0.id, name: $0.name, version: $0.version) }
        checks = report.results.filter { !onlyFailed || $0.outcome.verdict.isWorthAttention }.map { result in
            CheckResult(
                id: result.check.rawValue, verdict: result.outcome.verdict.word, detail: result.outcome.words,
                measurements: result.outcome.measurements.map {
                    Figure(name: $0.name, value: $0.value, unit: $0.unit)
                })
        }
        totals = Dictionary(uniqueKeysWithValues: CheckVerdict.allCases.map { ($0.word, report.count($0)) })
    }
}

/// A check in `engines validate --list --json`.
struct CheckListing: Encodable {
    let id: String
    let description: String

    init(_ check: Check) {
        id = check.rawValue
        description = check.summary
    }
}
